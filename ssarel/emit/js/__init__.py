"""The IR back to JavaScript: any stage of what came from JavaScript or TypeScript, as a program that runs."""

from ssarel.emit.js.program import emit

__all__ = ["emit"]
