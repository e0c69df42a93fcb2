function sum(rows) { let t = 0; for (const [a, b] of rows) { t += a * b; } return t; }
