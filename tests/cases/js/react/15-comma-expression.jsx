function seq(a) { let n = 0; const r = (n = a, n + 1); return r; }
