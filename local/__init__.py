"""The platform on this machine, in two ways that look alike from outside.

``local.server.LocalServer`` is the platform in one process, on SQLite. ``local.cloud.LocalCloud``
starts ministack on loopback and deploys the unmodified ``template.yaml``. ``python -m local`` is
the face of both for people.
"""
