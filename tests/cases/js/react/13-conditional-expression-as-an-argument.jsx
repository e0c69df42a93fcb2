function tern(f, a) { return f(a ? 1 : a.b, a); }
