function drain(q) { let n = 0; while (q.more()) { n = n + 1; } return n; }
