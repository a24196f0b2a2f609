"""A browser with controlled time, randomness and network: launch it, open a game, step, observe, read. This package
knows no tasks, models or Ray. An episode depends only on its files, seed and input; everything else that influenced it
is listed in `Diagnostics.irreproducible`."""

from gwray.records import Diagnostics, Reading
from gwray.sandbox.browser import Browser, BrowserOnDemand
from gwray.sandbox.executable import BrowserChoice, find_browser, install_command, missing_libraries
from gwray.sandbox.files import find_file, mime_type
from gwray.sandbox.game_page import GamePage
from gwray.sandbox.page_memory import MAX_MATCHES, PageMemory, Span
from gwray.sandbox.processes import Confinement, launch_confined
from gwray.sandbox.types import Clock, Encoding, Frame, ImageKind, PageSource
