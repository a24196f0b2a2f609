"""Pages of other sites get nothing from the servers on this machine."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from gwray.pages.local_server import own_pages_only


@pytest.fixture
def client() -> TestClient:
    routes = [Route("/", lambda request: PlainTextResponse("secret"), methods=["GET", "POST"])]
    app = Starlette(routes=routes, middleware=own_pages_only(["box.lan"]))
    return TestClient(app, base_url="http://127.0.0.1:8000")


def asked(client: TestClient, method: str = "GET", host: str = "127.0.0.1:8000", **said: str) -> int:
    headers = {f"sec-fetch-{name}": value for name, value in said.items()}
    response = client.request(method, "/", headers={"host": host, **headers})
    assert ("secret" in response.text) == (response.status_code == 200)
    return response.status_code


def test_its_own_pages_typed_addresses_and_programs_are_answered(client):
    assert asked(client) == 200
    assert asked(client, site="same-origin", mode="cors", dest="empty") == 200
    assert asked(client, site="none", mode="navigate", dest="document") == 200
    assert (
        asked(client, host="localhost:8000") == asked(client, host="box.lan") == asked(client, host="[::1]:8000") == 200
    )


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", ""])
def test_dns_rebinding_is_refused(client, host):
    assert asked(client, host=host) == 400


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:9", "https://127.0.0.1:8000", "null"])
def test_foreign_origin_without_fetch_headers_is_refused(client, origin):
    answers = {o: client.post("/", headers={"host": "127.0.0.1:8000", "origin": o}).status_code for o in
               (origin, "http://127.0.0.1:8000")}  # fmt: skip
    assert [*answers.values()] == [403, 200]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("dest", ["script", "image", "iframe", "empty"])
def test_what_another_site_embeds_or_fetches_is_refused(client, site, dest):
    mode = "navigate" if dest == "iframe" else "no-cors"
    assert asked(client, site=site, mode=mode, dest=dest) == 403
    assert asked(client, "POST", site=site, mode="navigate", dest="document") == 403
    assert asked(client, site=site, mode="navigate", dest="document") == 200, "a link may be followed"


def test_responses_have_cross_origin_headers(client):
    headers = client.get("/").headers
    assert headers["cross-origin-resource-policy"] == "same-origin" and headers["x-frame-options"] == "DENY"
