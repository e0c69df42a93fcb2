function d9(a, b) { const g = function me() { if (b) { a(); } return b ? a : me; }; return g; }
