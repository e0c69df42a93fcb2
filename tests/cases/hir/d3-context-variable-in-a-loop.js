function d3(a) { let x; while (a()) { const g = () => { x = 1; }; g(); } return x; }
