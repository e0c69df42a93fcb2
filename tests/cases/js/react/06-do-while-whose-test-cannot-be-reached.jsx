function once(op) { let v; do { v = op(); break; } while (op.again); return v; }
