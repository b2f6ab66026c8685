"""The page: reads run records, never a model."""
