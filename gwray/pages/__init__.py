"""Tables, text and pages for people. Tables become HTML, CSV, Markdown, LaTeX or terminal output; pages share a style
sheet with two themes, a base template, and content security policies that allow local files only. Each package has its
own templates and assets, which extend `page.html.jinja` of this one; escaping is always on. `gwray.pages.rendering` and
`gwray.pages.local_server` are imported directly, so that terminal output loads neither Jinja nor a web server."""

from gwray.pages.tables import (
    DASH,
    NO_VALUE,
    CellFunction,
    Column,
    Getter,
    Table,
    TableCell,
    csv_lines,
    ends,
    money_cell,
    number_cell,
    percent_cell,
    points,
    setting_cell,
    text_cell,
)
from gwray.pages.visible_text import LONG, PLAIN_EVERY_S, SHORT, SILENT_S, counted, csv_text, safe_text, visible, warn

__all__ = ["Column", "Table", "number_cell", "text_cell"]
