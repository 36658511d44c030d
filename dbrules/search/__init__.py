"""Search over counts: no database, no SQL, no row of data."""
