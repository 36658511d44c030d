"""The language of rules: conditions, rules and lists, with no database behind them."""
