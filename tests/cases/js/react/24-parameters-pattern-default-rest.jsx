function par({ id, tag = "t" }, n = id, ...more) { return [id, tag, n, more]; }
