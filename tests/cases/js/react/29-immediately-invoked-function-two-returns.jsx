function iife2(a) { const v = (() => { if (a) return 1; return 2; })(); return v; }
