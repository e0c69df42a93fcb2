function d7(a) { let x = 1; try { x = 2; a(x); x = a; } catch (e) { return x; } return x; }
