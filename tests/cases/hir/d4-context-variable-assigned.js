function d4(a) { let x = 0; const g = () => x; if (a) { x = 1; } else { x = 2; } return [x, g]; }
