"""Whether this machine can run Chromium's own sandbox."""

import os
import subprocess


def grants_namespaces() -> bool:
    """Returns whether the kernel grants this user the namespaces that Chromium's sandbox needs."""
    unprivileged = ["unshare", "--user", "--map-user=65534", "--map-group=65534", "--"] if os.geteuid() == 0 else []
    command = [*unprivileged, "unshare", "--user", "--pid", "--net", "--fork", "true"]
    return subprocess.run(command, capture_output=True).returncode == 0
