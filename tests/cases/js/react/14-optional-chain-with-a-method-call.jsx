function opt(u) { return u?.info.name?.(u); }
