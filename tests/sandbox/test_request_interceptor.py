"""What is under way is known from the page's own notice, before any other process tells of it."""

from gwray.sandbox import PageSource
from gwray.sandbox.diagnostics import DiagnosticsCollector
from gwray.sandbox.request_interceptor import RequestInterceptor
from gwray.sandbox.types import Limits


def test_a_request_that_only_the_page_has_told_of_is_waited_for():
    source = PageSource((), "index.html", "", 42, (1280, 720), False)
    around = RequestInterceptor(source, DiagnosticsCollector(Limits()))
    asked = around.asked
    request = {"url": "http://gwray.localhost/late.js"}
    around.announce({"requestId": "7", "request": request, "type": "Script", "initiator": {"type": "parser"}})
    assert around.waiting and around.asked == asked + 1
    around.arrived({"requestId": "7"})
    assert not around.waiting
