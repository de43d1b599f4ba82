"""Makes the documents that the service serves, out of the code: `python -m documents`.

They are kept in functions/api/documents/ and served as they are, so that no request pays for making
them. A test makes them again and compares.
"""
