function objs(a, b) { return { a, "k-1": b, 7: a, [a]: b, ...b, m(x) { return x + a; }, arr: [a, , ...b] }; }
