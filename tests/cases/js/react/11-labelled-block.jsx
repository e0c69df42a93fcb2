function lab(p) { let z = 1; done: { if (p) break done; z = 2; } return z; }
