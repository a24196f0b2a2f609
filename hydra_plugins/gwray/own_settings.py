"""Hydra looks for files of settings in the user's own `conf/` before it looks in ours."""

from __future__ import annotations

from hydra.core.config_search_path import ConfigSearchPath
from hydra.plugins.search_path_plugin import SearchPathPlugin

from gwray.places import own_conf


class OwnSettings(SearchPathPlugin):
    """See `gwray.places`."""

    def manipulate_search_path(self, search_path: ConfigSearchPath) -> None:
        if (folder := own_conf()) is not None:
            search_path.prepend("gwray-home", f"file://{folder}")
