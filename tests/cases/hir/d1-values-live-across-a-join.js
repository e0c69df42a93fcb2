function d1(f, b) { return f(b ? 1 : 2, b && 3); }
