"""DuQUAD: two views, attention contrast, quality-aware pruning."""
