"""Pending requests are known from the page's own events, before another process reports them."""

from collections.abc import Iterator

import pytest

from gwray.sandbox import PageSource
from gwray.sandbox.devtools_pipe import DevToolsPipe
from gwray.sandbox.diagnostics import DiagnosticsCollector
from gwray.sandbox.request_interceptor import RequestInterceptor, RequestRouter
from gwray.sandbox.types import Limits


@pytest.fixture
def router() -> Iterator[RequestRouter]:
    pipe = DevToolsPipe()
    yield RequestRouter(pipe)
    pipe.close()


def test_a_request_that_only_the_page_has_told_of_is_waited_for(router):
    source = PageSource((), "index.html", "", 42, (1280, 720), False)
    around = RequestInterceptor(source, DiagnosticsCollector(Limits()), router)
    asked = around.asked
    request = {"url": "http://gwray.localhost/late.js"}
    around.announce({"requestId": "7", "request": request, "type": "Script", "initiator": {"type": "parser"}})
    assert around.waiting and around.asked == asked + 1
    around.arrived({"requestId": "7"})
    assert not around.waiting


def test_requests_of_unknown_frames_are_blocked(router, monkeypatch):
    """Such as those of a window that a page has opened, and of a page that is being closed."""
    sent: list[tuple[str, dict[str, str]]] = []
    monkeypatch.setattr(router, "send", lambda method, params: sent.append((method, params)))
    page = RequestInterceptor(PageSource((), "", "", 42, (1, 1), False), DiagnosticsCollector(Limits()), router)
    page.own("main")
    page.end()
    for frame in ("popup", "main"):
        router._paused({"requestId": frame, "frameId": frame})
    assert sent == [
        ("Fetch.failRequest", {"requestId": frame, "errorReason": "BlockedByClient"}) for frame in ("popup", "main")
    ]
