function d11(a) { let y; try { y = 1; } catch { } return y; }
