"""RIPPER: rules grown, pruned, and revised by description length."""
