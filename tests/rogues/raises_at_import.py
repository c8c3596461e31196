"""Cannot be loaded."""

raise ValueError("no luck at import")
