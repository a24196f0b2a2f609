"""The `openai` SDK's exceptions as ours; shared by its two wires."""

from __future__ import annotations

import openai

from gwray.agents.clients.base import Secret, blame
from gwray.errors import MalformedResponse, ModelError, ModelUnavailable


def translate(error: Exception, secret: Secret) -> ModelError:
    """The class to blame. The original is not chained: it holds the request with its headers."""
    match error:
        case openai.APITimeoutError():
            return ModelUnavailable("the request timed out")
        case openai.APIConnectionError():
            cause = error.__cause__
            return ModelUnavailable(f"no connection: {type(cause).__name__ if cause else 'lost'}")
        case openai.APIStatusError():
            return blame(
                error.status_code,
                str(error.message),
                secret,
                code=f"{error.code or ''} {error.type or ''}",
                retry_after=error.response.headers.get("retry-after"),
            )
        case openai.APIError():
            return MalformedResponse(secret.scrub(str(error))[:300])
        case _:
            return ModelUnavailable(secret.scrub(f"{type(error).__name__}: {error}")[:300])
