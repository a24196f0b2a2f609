"""Is an endpoint ready? Asked with the request that matters: a chat with a picture in it, if the model can see one.

An open port, `/health` and even a text reply say nothing about the image path, where the vision encoder, the image
processor and the attention kernel of the first real request are met for the first time.
"""

from __future__ import annotations

import asyncio
import base64
import io
import time
from collections.abc import Callable
from typing import Any

import httpx
from PIL import Image

from gwray.errors import ModelUnavailable
from gwray.serving.faults import ServingError, last_lines

PAUSE_S = 0.5
_KEY = ". Is its key in the environment variable that model.api_key_env names?"
_HINTS = {
    401: _KEY,
    403: _KEY,
    404: ". Is this the API's root (most end in /v1), and does the server know the model by this name?",
}


def smallest_chat(model_id: str, *, pictures: bool) -> dict[str, Any]:
    """The smallest request that goes all the way: a system message like every question's, one sentence, one picture
    unless the model sees none, a few tokens."""
    parts: list[dict[str, Any]] = [{"type": "text", "text": "Say yes."}]
    if pictures:
        picture = io.BytesIO()
        Image.new("RGB", (112, 112), (40, 80, 120)).save(picture, "PNG")
        url = "data:image/png;base64," + base64.b64encode(picture.getvalue()).decode()
        parts.append({"type": "image_url", "image_url": {"url": url}})
    messages = [{"role": "system", "content": "You are a game agent."}, {"role": "user", "content": parts}]
    return {"model": model_id, "max_tokens": 4, "messages": messages}


async def ready(
    base_url: str,
    model_id: str,
    timeout_s: float,
    *,
    pictures: bool = True,
    key: str = "",
    died: Callable[[], str | None] | None = None,
) -> float:
    """Wait until a chat succeeds, with a picture in it unless `pictures` says that the model sees none; returns the
    seconds it took.

    `died` may say why waiting is in vain. Raises `ServingError` when the server refuses the request itself, and
    `ModelUnavailable` when it did not succeed in time; both carry what the server said last.
    """
    article, chat = ("an", "image chat") if pictures else ("a", "text chat")
    question = smallest_chat(model_id, pictures=pictures)
    start = time.monotonic()
    said, hint = "nothing", ""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with httpx.AsyncClient(timeout=httpx.Timeout(60, connect=5), headers=headers) as client:
        while True:
            try:
                answer = await client.post(f"{base_url.rstrip('/')}/chat/completions", json=question)
            except httpx.HTTPError as e:
                said, hint = f"{type(e).__name__}: {e}", ""
            else:
                if answer.status_code == 200 and _has_choice(answer):
                    return time.monotonic() - start
                said = f"HTTP {answer.status_code}: {' '.join(last_lines(answer.text, 3))}"
                hint = _HINTS.get(answer.status_code, "")
                if answer.status_code in (400, 401, 403, 404, 413, 422) and not _still_starting(answer):
                    raise ServingError(f"{base_url} refuses {article} {chat} with '{model_id}'. {said}{hint}")
            if died is not None and (why := await asyncio.to_thread(died)):
                raise ServingError(why)
            await asyncio.sleep(PAUSE_S)
            if time.monotonic() - start >= timeout_s:
                break
    raise ModelUnavailable(f"{base_url}: no {chat} succeeded in {timeout_s:g} s; the last answer was {said}{hint}")


def _has_choice(answer: httpx.Response) -> bool:
    try:
        return bool(answer.json()["choices"])
    except (ValueError, KeyError, TypeError):
        return False


def _still_starting(answer: httpx.Response) -> bool:
    """A proxy that has not on_sample of the route yet says 404 in its own words, not in the API's."""
    return answer.status_code == 404 and '"error"' not in answer.text and '"object"' not in answer.text
