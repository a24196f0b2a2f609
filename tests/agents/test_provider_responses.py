"""Responses of providers, proxies and other servers: the class of the error, the words that it shows, and its wait."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gwray.agents.clients.base import Secret
from gwray.agents.clients.failures import error_from_response
from gwray.agents.clients.openai_api import OpenAIChat
from gwray.errors import (
    AuthError,
    BadRequest,
    ContentFiltered,
    MalformedResponse,
    ModelError,
    ModelNotFound,
    ModelUnavailable,
    QuotaExhausted,
    RateLimited,
)
from gwray.spec import ModelSpec


def html(title: str, text: str = "", start: str = "<!DOCTYPE html>\n") -> bytes:
    return f"{start}<html><head><title>{title}</title><style>a{{}}</style></head><body>{text}</body></html>".encode()


def body(**value: Any) -> bytes:
    return json.dumps(value).encode()


NGINX = html("404 Not Found", "<center><h1>404 Not Found</h1></center><hr><center>nginx/1.27</center>", "")
CLOUD = html("Attention Required! | Cloudflare", "<h1>Sorry, you have been blocked</h1>", "\ufeff  ")
PORTAL = html("Hotel Wi&#45;Fi &amp; more", "Please sign in", "<!-- portal -->\n")
FRESH: list[tuple[str, int, bytes, dict[str, str], bool, type[ModelError], str]] = [
    # name, status, body, headers, whether the key was accepted before, class, words of the message
    ("portal", 403, PORTAL, {}, False, ModelUnavailable, "'Hotel Wi-Fi & more' Please sign in"),
    ("portal later", 403, PORTAL, {}, True, ModelUnavailable, "a web page answers instead of the API"),
    ("firewall", 403, CLOUD, {"server": "cloudflare"}, True, ModelUnavailable, "Attention Required! | Cloudflare"),
    ("firewall at once", 403, CLOUD, {}, False, ModelUnavailable, "you have been blocked"),
    ("proxy denies", 403, html("ERR_ACCESS_DENIED", "Squid"), {}, False, ModelUnavailable, "ERR_ACCESS_DENIED"),
    ("no such path", 404, NGINX, {}, False, ModelNotFound, "check model.base_url"),
    ("path is gone", 404, NGINX, {}, True, ModelUnavailable, "404 Not Found"),
    ("iis", 404, html("404 - File or directory not found."), {}, False, ModelNotFound, "no API at this address"),
    ("express", 404, html("Error", "<pre>Cannot POST /chat</pre>"), {}, False, ModelNotFound, "Cannot POST /chat"),
    ("parked host", 404, html("Site parked", "buy it"), {}, False, ModelUnavailable, "Site parked"),
    ("method", 405, html("405 Not Allowed"), {}, False, ModelNotFound, "405 Not Allowed"),
    ("method later", 405, html("405 Not Allowed"), {}, True, ModelUnavailable, "405 Not Allowed"),
    ("https port", 400, html("400 The plain HTTP request was sent to HTTPS port"), {}, False, ModelNotFound, "HTTPS"),
    ("sign-in page", 401, html("Sign in - SSO"), {}, True, ModelUnavailable, "Sign in - SSO"),
    ("proxy user", 407, html("Proxy Authentication Required"), {}, True, AuthError, "the proxy needs a user"),
    ("network login", 511, html("Network Authentication Required"), {}, False, ModelUnavailable, "Network Auth"),
    ("go", 404, b"404 page not found\n", {}, False, ModelNotFound, "check model.base_url"),
    ("fastapi", 404, body(detail="Not Found"), {}, False, BadRequest, "Not Found"),
    ("kong", 404, body(message="no Route matched with those values"), {}, False, BadRequest, "no Route matched"),
    ("file", 404, body(error={"message": "File 'f-1' not found"}), {}, False, BadRequest, "File 'f-1'"),
    ("model", 404, body(error={"message": "The model `x` does not exist"}), {}, True, ModelNotFound, "`x`"),
    ("too large", 413, html("413 Request Entity Too Large"), {}, True, BadRequest, "Too Large"),
    ("gateway", 502, html("502 Bad Gateway", "cloudfront"), {}, True, ModelUnavailable, "'502 Bad Gateway' cloudfront"),
    ("timeout", 504, b"upstream request timeout", {}, True, ModelUnavailable, "upstream request timeout"),
    ("cut by proxy", 499, b"", {}, True, BadRequest, "an empty body"),
    ("empty 503", 503, b"", {"retry-after": "30"}, True, ModelUnavailable, "(an empty body)"),
    ("envoy", 503, b"no healthy upstream", {}, True, ModelUnavailable, "no healthy upstream"),
    ("key", 403, body(error={"message": "Invalid API key"}), {}, True, AuthError, "Invalid API key"),
    ("region", 403, body(error={"message": "Country not supported"}), {}, False, AuthError, "Country not"),
    ("prompt", 403, body(error="Content violates usage guidelines"), {}, True, ContentFiltered, "Content violates"),
    ("law", 451, body(error={"message": "Unavailable"}), {}, True, ContentFiltered, "Unavailable"),
    ("inf", 429, body(error={"message": "slow"}), {"retry-after": "inf"}, True, RateLimited, "slow"),
    ("minus", 429, body(error={"message": "slow"}), {"retry-after": "-5"}, True, RateLimited, "slow"),
    ("huge", 429, body(error={"message": "slow"}), {"retry-after": "9" * 300}, True, RateLimited, "slow"),
    ("far", 503, b"x", {"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}, True, ModelUnavailable, "x"),
    ("past", 429, b"x", {"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}, True, RateLimited, "x"),
    ("exponent", 429, b"x", {"retry-after-ms": "1e300"}, True, RateLimited, "x"),
    ("said forever", 429, body(message="try again in 999999999999 days"), {}, True, RateLimited, "999999999999"),
    ("reset far", 429, b"x", {"x-ratelimit-reset": "1e18"}, True, RateLimited, "x"),
    ("two waits", 429, b"x", {"retry-after": "inf", "retry-after-ms": "2500"}, True, RateLimited, "x"),
    ("a day", 429, b"x", {"retry-after": "86400"}, True, QuotaExhausted, "the limit resets at"),
    ("list", 400, json.dumps([{"error": {"message": "bad field"}}]).encode(), {}, True, BadRequest, "bad field"),
    ("number", 500, b"42", {}, True, ModelUnavailable, "42"),
    ("xml", 403, b"<?xml version='1.0'?><Error>AccessDenied</Error>", {}, False, AuthError, "AccessDenied"),
    ("nested", 422, body(detail=[{"msg": "Field required", "loc": ["body"]}]), {}, True, BadRequest, "Field required"),
]  # fmt: skip
WAITS = {"empty 503": 30.0, "two waits": 2.5}
"""Seconds that these ask to wait; the others say nothing that can be meant."""


@pytest.mark.parametrize("case", FRESH, ids=lambda c: c[0])
def test_response_is_classed_by_what_it_says(case):
    name, status, content, headers, accepted, expected, words = case
    error = error_from_response(status, content, headers, Secret("the-secret-key"), accepted=accepted)
    assert type(error) is expected, error
    assert words in str(error)
    if isinstance(error, RateLimited | ModelUnavailable):
        assert error.retry_after_s == WAITS.get(name)


def test_there_are_enough_fresh_responses():
    assert len(FRESH) >= 40 and len({c[0] for c in FRESH}) == len(FRESH)


def completion(message: dict[str, Any], **usage: Any) -> dict[str, Any]:
    """A chat completion whose message has no content."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": None, **message}}
    return {"id": "1", "object": "chat.completion", "model": "m", "choices": [choice], **usage}


THOUGHT = {"reasoning_content": "First I would look around."}


@pytest.mark.parametrize(
    ("usage", "generated"),
    [
        ({"usage": {"prompt_tokens": 90, "completion_tokens": 0}}, False),
        ({"usage": {"prompt_tokens": 90, "completion_tokens": 40}}, True),
        ({"usage": {"prompt_tokens": 90, "completion_tokens_details": {"reasoning_tokens": 30}}}, True),
        ({}, True),
    ],
    ids=["counted none", "counted", "counted apart", "not counted"],
)  # fmt: skip
def test_reasoning_without_output_tokens_is_no_reply(usage, generated):
    """A failed generation is not a reply, also if the server sends reasoning with it."""
    client = OpenAIChat(ModelSpec(name="m", provider="openai_chat", model_id="m", base_url="http://127.0.0.1:1/v1"))
    if generated:
        assert client._reply(json.dumps(completion(THOUGHT, **usage)).encode(), 1.0).reasoning
    else:
        with pytest.raises(MalformedResponse, match="the reply is empty"):
            client._reply(json.dumps(completion(THOUGHT, **usage)).encode(), 1.0)
