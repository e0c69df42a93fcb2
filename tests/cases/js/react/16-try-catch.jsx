function safe(run) { let out = null; try { out = run(); } catch (err) { out = err; } return out; }
