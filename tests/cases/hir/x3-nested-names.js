function $(){ const a$1 = 1; const h = () => { const inner = function me(q) { "dir";
 return `in
 ner ${a$1}`; }; return { get: inner, method() { return <a$1 $x={h}>{a$1}</a$1>; } }; }; return h; }
