"""Sequential covering: rules grown condition by condition, and lists and sets of them."""
