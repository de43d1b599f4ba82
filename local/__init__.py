"""The local cloud: starts ministack on loopback and deploys the unmodified ``template.yaml``.

``local.cloud.LocalCloud`` is the face for programs and tests; ``python -m local`` is the face for
people.
"""
