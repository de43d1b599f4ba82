"""The protocol: what goes over the wire between Lanternwell and its clients, said once.

Nothing here does I/O, and importing it costs no cold start: no pydantic, no AWS.
"""
