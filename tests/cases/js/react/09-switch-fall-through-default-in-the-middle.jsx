function sw(k, o) { let s = 0; switch (k) { case 1: s = 1; default: s = s + 2; break; case o: return s; } return s; }
