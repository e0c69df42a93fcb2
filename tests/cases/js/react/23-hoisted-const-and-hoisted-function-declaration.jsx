function hoist() { const f = () => late + 1; const r = g(); const late = 2; function g() { return f; } return [f, r, late]; }
