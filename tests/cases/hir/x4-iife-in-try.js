function iife(a) { let x = 0; try { x = (() => { if (a) { return 1; } return a; })(); } catch (e) { x = (() => a)(); } (() => { a(); })(); const k = function () { return x; }; return k(); }
