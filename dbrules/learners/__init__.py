"""The learners, each holding its settings only."""
