"""A local stand-in for four providers: it speaks their wire formats, checks every request strictly, answers what a
test tells it to, and fails in the ways providers fail. It listens on 127.0.0.1 only.

    with Standin() as standin:
        standin.say(Say(calls=[("move_left", {})]))
        spec = read_model("gpt-5.2").model_copy(update={"base_url": standin.base_url("openai_responses")})

`python tests/standin` runs one by hand.
"""

from standin.server import Fault, Limit, Seen, Standin
from standin.wires import Say

__all__ = ["Fault", "Limit", "Say", "Seen", "Standin"]
