function d8(a) { let x = 0; while (a()) { x = 1; } return a; }
