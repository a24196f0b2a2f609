"""The version of gwray, importable from every package without importing `gwray` itself."""

__version__ = "0.2.0"
