function order(a) { for (let i = 0; i < a; i++) { if (a.b) { continue; } else { return 1; } a(i); } return 2; }
