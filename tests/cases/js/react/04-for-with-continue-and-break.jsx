function scan(xs, k) { let hit = -1; for (let i = 0; i < k; i++) { if (xs[i] == null) continue; if (xs[i] === k) { hit = i; break; } } return hit; }
