function pure(run) { let v; try { v = [1, 2]; run(v); } catch { v = 0; } return v; }
