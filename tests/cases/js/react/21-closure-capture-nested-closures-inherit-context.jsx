function cap(a, b) { const f = () => { const g = (p) => p + b; return g(a); }; return f; }
