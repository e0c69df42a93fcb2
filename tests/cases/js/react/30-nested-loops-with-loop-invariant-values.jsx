function nest(n, k) { let s = 0; for (let i = 0; i < n; i++) { for (let j = 0; j < i; j++) { s = s + k; } } return s; }
