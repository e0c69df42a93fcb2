function retry(op) { let left = 3; do { left = left - 1; if (op(left)) continue; left--; } while (left > 0); return left; }
