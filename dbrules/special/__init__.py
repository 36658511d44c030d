"""Special functions and random draws of the gamma and beta distributions, in plain Python."""
