"""Every constant of the project, with its source, by what it is about.

Sources are written as ``DuQUAD §3.1.4`` (a place in a paper) or ``our choice`` (with the reason or the
measurement behind it). Nothing else in the project may hold a number that changes a result.
"""
