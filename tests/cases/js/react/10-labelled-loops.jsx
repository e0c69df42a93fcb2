function grid(m) { rows: for (const r of m) { for (const c of r) { if (c) continue rows; if (r.stop) break rows; } } return m; }
