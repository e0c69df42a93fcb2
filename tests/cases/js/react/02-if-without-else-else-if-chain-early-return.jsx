function grade(n, q) { let g; if (n > 9) g = "a"; else if (q) return n; return g; }
