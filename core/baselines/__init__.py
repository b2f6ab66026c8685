"""The systems that the two methods are compared with, one module each."""
