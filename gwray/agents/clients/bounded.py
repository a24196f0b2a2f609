"""Bounds the body of a response while it arrives: a provider may send any amount, and one loop plays all lanes."""

from collections.abc import AsyncIterator
from typing import Any

import httpx2

from gwray.errors import MalformedResponse

MAX_RESPONSE = 2 * 2**20
"""Bytes of a response body. The longest replies of models have a few hundred thousand; reading more in the event loop
would delay all lanes."""


class _Bounded(httpx2.AsyncByteStream):
    """A stream of bytes that ends in `MalformedResponse` after `MAX_RESPONSE` bytes."""

    def __init__(self, stream: httpx2.AsyncByteStream):
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        received = 0
        async for chunk in self._stream:
            if (received := received + len(chunk)) > MAX_RESPONSE:
                raise MalformedResponse(f"the response is larger than {MAX_RESPONSE:,} bytes, the limit")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _ask_for_plain(request: httpx2.Request) -> None:
    request.headers["accept-encoding"] = "identity"


async def _bound(response: httpx2.Response) -> None:
    encoding = response.headers.get("content-encoding", "identity")
    if encoding != "identity":  # a small body may unpack to any size
        raise MalformedResponse(f"the response is packed by '{encoding}', which the request excludes")
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Bounded(response.stream)


def bounded(client: type[httpx2.AsyncClient], **arguments: Any) -> httpx2.AsyncClient:
    """Returns an HTTP client of this class whose responses raise `MalformedResponse` beyond `MAX_RESPONSE` bytes."""
    return client(timeout=None, event_hooks={"request": [_ask_for_plain], "response": [_bound]}, **arguments)


def bound_passed(error: BaseException | None) -> MalformedResponse | None:
    """Returns the error of `bounded` that an SDK's error stems from; None: it has another cause."""
    while error and not isinstance(error, MalformedResponse):
        error = error.__cause__ or error.__context__
    return error
