function d2(q, k) { let n = 0; while (q(k)) { n = n + k; } return n; }
