function upd(o, i) { let n = 1; n += i; n++; o.c -= n; o[i] = --n; o.c++; delete o[i]; return n; }
