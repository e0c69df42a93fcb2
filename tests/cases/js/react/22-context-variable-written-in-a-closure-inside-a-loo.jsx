function ctx(xs) { let seen = 0; for (const x of xs) { const bump = () => { seen = seen + x; }; bump(); } return seen; }
