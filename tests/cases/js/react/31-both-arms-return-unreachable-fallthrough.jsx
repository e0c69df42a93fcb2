function both(a) { if (a) { return a.x; } else { throw a; } }
