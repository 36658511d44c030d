"""SQL-native rule learner."""
