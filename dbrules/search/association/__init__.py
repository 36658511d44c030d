"""Class association rules: their measures, which are found, and a classifier of them."""
