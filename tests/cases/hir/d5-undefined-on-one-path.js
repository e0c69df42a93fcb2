function d5(k) { switch (k) { case 1: let x = 1; k(x); case 2: k(x); } return k; }
