function dasg(o) { let a, b; [a, b] = o; ({ a, b: o.k } = o); return [a, b]; }
