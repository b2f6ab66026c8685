"""From files and pasted text to records. All content is foreign: bounded, never evaluated, never a path."""
