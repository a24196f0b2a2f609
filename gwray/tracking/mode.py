"""Decides the tracking mode without importing or calling W&B."""

import netrc
import os
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from gwray.settings import TrackingSpec

Mode = Literal["online", "offline", "disabled"]

_HOSTED = ("api.wandb.ai", "api.forge.coreweave.com", "forge.coreweave.com")


def resolve_mode(spec: TrackingSpec) -> Mode:
    """Returns the mode. `auto` means `WANDB_MODE` if set, else online with an API key and offline without."""
    if spec.mode != "auto":
        return spec.mode
    wished = os.environ.get("WANDB_MODE", "")
    if wished == "online":
        return "online"
    if wished in ("disabled", "offline"):
        return wished
    if wished:  # dryrun and unknown values: never send data without consent
        return "offline"
    return "online" if has_key() else "offline"


def has_key() -> bool:
    """Returns whether a W&B key is configured, by `WANDB_API_KEY` or netrc (which `wandb login` writes)."""
    return bool(os.environ.get("WANDB_API_KEY")) or _in_netrc()


def _in_netrc() -> bool:
    """Returns whether netrc has a key for the W&B server."""
    base = os.environ.get("WANDB_BASE_URL")
    hosts = (urlsplit(base).netloc,) if base else _HOSTED
    named = os.environ.get("NETRC")
    for path in [Path(named).expanduser()] if named else [Path.home() / ".netrc", Path.home() / "_netrc"]:
        try:
            entries = netrc.netrc(path)
        except (OSError, netrc.NetrcParseError):
            continue
        for host in hosts:
            entry = entries.hosts.get(host)
            if entry and entry[2]:
                return True
    return False
