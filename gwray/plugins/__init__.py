"""Features behind public hooks, one folder each. Nothing outside imports them; `docs/extending.md` lists the hooks."""
