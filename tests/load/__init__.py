"""Many visitors, and things that go wrong: ``python -m tests.load`` prints figures and writes build/load.json."""
