function calls(o, a) { o(a, ...a); o.m(a)[a](1); const k = new o.K(...a); return [k, o.t`raw`, `n=${a}!`, /x+/g]; }
