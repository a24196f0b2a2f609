"""Where things are found and how they are checked: folders of libraries and configuration, code chosen by name, YAML
files and the messages for invalid ones. `gwray.places.validation` and `gwray.places.yaml12` are imported directly, so
that `gwray --help` loads neither pydantic nor YAML."""

from gwray.places.paths import (
    BUNDLED,
    CHECKOUT,
    CONF,
    GAMES,
    PACKAGE,
    add_conf,
    add_user_modules,
    allow_folders,
    allowed_folders,
    cache,
    complete_file,
    conf_files,
    folder_path,
    home,
    read_regular,
    user_confs,
    user_libraries,
)
from gwray.places.registry import NotTrusted, Registry, module_file
