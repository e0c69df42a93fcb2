function d10(a) { let x = 0; if (a) { x = 1; } else { x = 1; } return x; }
