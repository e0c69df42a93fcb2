"""The IR back to source languages."""
