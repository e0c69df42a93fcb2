function iife(a) { const v = (() => { a.touch(); return a.v; })(); return v; }
