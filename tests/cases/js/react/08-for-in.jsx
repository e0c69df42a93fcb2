function keys(o) { let last = null; for (const k in o) { last = k; } return last; }
