function lg(a, b) { return (a && b.ok) || null; }
