"""The ports on AWS. Nothing outside this package imports botocore."""
