function pick(c) { let r = 0; if (c) { r = 1; } else { r = c.n; } return r; }
