"""Waits until an endpoint is ready: until it answers a chat, with an image if the model accepts images. An open port,
`/health` and even a text reply do not test the image path: the vision encoder, the image processor and the attention
kernel run for the first time with the first image."""

import asyncio
import base64
import io
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import httpx
from PIL import Image

from gwray.errors import ModelError, ModelUnavailable

PAUSE_S = 0.5
_KEY = ". Check the key in the environment variable that model.api_key_env names"
_HINTS = {
    401: _KEY,
    403: _KEY,
    404: ". Check that this is the API root (most end in /v1) and that the server knows the model by this name",
}


def smallest_chat(model_id: str, *, pictures: bool) -> dict[str, Any]:
    """Returns the smallest complete request: a system message, one sentence, one image if the model accepts any."""
    parts: list[dict[str, Any]] = [{"type": "text", "text": "Say yes."}]
    if pictures:
        picture = io.BytesIO()
        Image.new("RGB", (112, 112), (40, 80, 120)).save(picture, "PNG")
        url = "data:image/png;base64," + base64.b64encode(picture.getvalue()).decode()
        parts.append({"type": "image_url", "image_url": {"url": url}})
    messages = [{"role": "system", "content": "You are a game agent."}, {"role": "user", "content": parts}]
    return {"model": model_id, "max_tokens": 4, "messages": messages}


async def wait_until_ready(
    base_url: str,
    model_id: str,
    timeout_s: float,
    *,
    pictures: bool = True,
    key: str = "",
    failure: Callable[[], str | None] | None = None,
) -> float:
    """Waits until a chat succeeds and returns the seconds it took.

    Args:
        base_url: API root of the server.
        model_id: Name of the model at the server.
        timeout_s: Seconds after which waiting is given up.
        pictures: Whether the model accepts images; the chat then has one.
        key: API key, empty for none.
        failure: Returns why waiting is useless, for example because the engine has died; None while it is not.

    Raises:
        ServingError: The server refuses the request, or `failure` returned a reason.
        ModelUnavailable: No chat succeeded in time.
    """
    article, chat = ("an", "image chat") if pictures else ("a", "text chat")
    request = smallest_chat(model_id, pictures=pictures)
    start = time.monotonic()
    response, hint = "none", ""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with httpx.AsyncClient(timeout=httpx.Timeout(60, connect=5), headers=headers) as client:
        while True:
            try:
                answer = await client.post(f"{base_url.rstrip('/')}/chat/completions", json=request)
            except httpx.HTTPError as e:
                response, hint = f"{type(e).__name__}: {e}", ""
            else:
                if answer.status_code == 200 and _has_choice(answer):
                    return time.monotonic() - start
                response = f"HTTP {answer.status_code}: {' '.join(last_lines(answer.text, 3))}"
                hint = _HINTS.get(answer.status_code, "")
                if answer.status_code in (400, 401, 403, 404, 413, 422) and not _still_starting(answer):
                    raise ServingError(f"{base_url} refuses {article} {chat} with '{model_id}'. {response}{hint}")
            if failure is not None and (reason := await asyncio.to_thread(failure)):
                raise ServingError(reason)
            await asyncio.sleep(PAUSE_S)
            if time.monotonic() - start >= timeout_s:
                break
    raise ModelUnavailable(f"{base_url}: no {chat} succeeded in {timeout_s:g} s; last response: {response}{hint}")


def _has_choice(answer: httpx.Response) -> bool:
    try:
        return bool(answer.json()["choices"])
    except (ValueError, KeyError, TypeError):
        return False


def _still_starting(answer: httpx.Response) -> bool:
    """Returns whether a 404 comes from a proxy that does not know the route yet, and not from the API."""
    return answer.status_code == 404 and '"error"' not in answer.text and '"object"' not in answer.text


_MILD = re.compile(r"\b(DEBUG|INFO|WARNING)\b")
"""In lines that mention errors without being one, such as "disabling Triton to prevent runtime errors"."""
KEPT_LINES = 12
"""Lines of the engine's log in an error message."""


class ServingError(ModelError):
    """A model could not be served. Its cells fail with this message; a retry would not help."""


def last_lines(log: str | Sequence[str], keep: int = KEPT_LINES) -> list[str]:
    """Returns the last distinct lines of a log that mention an error, oldest first; its last lines if none does."""
    lines = [line.rstrip()[:400] for line in (log.splitlines() if isinstance(log, str) else log) if line.strip()]
    errors = [line for line in lines if re.search("error|exception", line, re.I) and not _MILD.search(line)]
    return list(dict.fromkeys(reversed(errors or lines)))[:keep][::-1]


def startup_error(name: str, problem: str, log: str | Sequence[str] = "") -> ServingError:
    """Returns the error of model `name`, which could not be started because of `problem`."""
    lines = "".join(f"\n  | {line}" for line in last_lines(log))
    return ServingError(
        f"{name}: {problem}.{lines}\n  Common causes and fixes: docs/serving.md, 'When a model does not start'. The "
        "engine's complete log is in Ray's session folder (logs/serve/ and logs/worker-*.err)."
    )
