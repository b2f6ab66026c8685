"""Question sets of every known layout, read as a stream: known by content, bounded, dirt named and dealt with."""
