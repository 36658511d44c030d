"""From columns to literals: sources, binnings and the conditions they give."""
