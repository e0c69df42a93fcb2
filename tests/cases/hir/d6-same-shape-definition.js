function d6(k) { switch (k) { case 1: k(x); break; case 2: let x = 1; k(x); } return k; }
