function des(o) { const { a, b: { c }, d = 4, ...rest } = o; let [x, , ...ys] = rest; return [a, c, d, x, ys]; }
