"""The `openai` SDK: connection, exceptions and pictures, shared by its two wires."""

from __future__ import annotations

import base64

import openai

from gwray.agents.clients.base import MAX_MESSAGE, BaseClient, blame, connection
from gwray.agents.coordinates import resized
from gwray.agents.messages import Image
from gwray.errors import MalformedResponse, ModelError, ModelUnavailable, cut
from gwray.spec import ModelSpec

ENDPOINT = "https://api.openai.com/v1"


class OpenAISdk(BaseClient):
    """What Chat Completions and Responses have in common."""

    def __init__(self, spec: ModelSpec):
        super().__init__(spec)
        self._hosted = spec.self_hosted
        self._sdk = openai.AsyncOpenAI(**connection(spec, self._secret, ENDPOINT))

    def _translate(self, error: Exception) -> ModelError:
        match error:
            case openai.APITimeoutError():
                return ModelUnavailable("the request timed out")
            case openai.APIConnectionError():
                cause = error.__cause__
                return ModelUnavailable(f"no connection: {type(cause).__name__ if cause else 'lost'}")
            case openai.NotFoundError() if self._hosted and not isinstance(error.body, dict):
                # What is in front of the engine says so in no words of the API's while it knows of no replica.
                return ModelUnavailable("HTTP 404: no engine is behind this address now", status=404)
            case openai.APIStatusError():
                return blame(
                    error.status_code,
                    str(error.message),
                    self._secret,
                    code=f"{error.code or ''} {error.type or ''}",
                    retry_after=error.response.headers.get("retry-after"),
                )
            case openai.APIError():
                return MalformedResponse(cut(self._secret.scrub(str(error)), MAX_MESSAGE))
            case _:
                return ModelUnavailable(cut(self._secret.scrub(f"{type(error).__name__}: {error}"), MAX_MESSAGE))

    async def _list(self) -> list[str]:
        return [model.id async for model in self._sdk.models.list()]

    async def close(self) -> None:
        await self._sdk.close()


def data_url(image: Image) -> str:
    """The picture at its final size, as a data URL."""
    return f"data:{image.mime};base64,{base64.b64encode(resized(image.data, image.mime, image.size)).decode()}"
