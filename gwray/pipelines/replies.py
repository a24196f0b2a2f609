"""The replies of an episode: the reply log, and `ask`, the only way in which an agent reads it.

`RoleAsk` is the `ask` of one role. It numbers the questions of a turn, takes their replies from the log as far as the
log reaches, and only then asks a model or a local player. A question that differs from the logged one ends the episode:
this is how input that bypasses `ask` (the clock, randomness, a request) is detected at the first replay.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from gwray.agents import (
    Prompt,
    Request,
    Responder,
    Situation,
    build_request,
    finish_kind,
    prompt_problem,
    sees_state,
    substitute_model,
)
from gwray.errors import AgentError, GwrayError
from gwray.records import LoggedReply, Reply, StepRecord, UsageTotals, reply_unknowns, unknown_caveats
from gwray.settings import PlayerSpec


def served_models(names: Iterable[str]) -> str:
    """Returns the sorted names of the models that answered, each once, as records store them."""
    return ", ".join(sorted({*names} - {""}))


def facts_of_log(lines: Sequence[LoggedReply]) -> dict[str, Any]:
    """Returns the fields of a record that follow from its replies: usage, models, load, retries and waits."""
    turns: dict[tuple[int, str], list[Reply]] = {}
    for line in lines:
        turns.setdefault((line.decision, line.role), []).append(line.reply)
    # Rounded by turn, as rows are.
    spent = (UsageTotals(**UsageTotals.from_replies(replies).fields()) for replies in turns.values())
    return {
        **sum(spent, UsageTotals()).fields(),
        "served_model": served_models(line.reply.served_model for line in lines),
        "in_flight": max((line.in_flight for line in lines), default=0),
        "retries": sum(max(0, line.reply.requests - 1) for line in lines),  # local players send none
        "waited_s": round(sum(line.waited_s for line in lines), 3),
    }


OTHER_PICTURES = "other pictures than those that were answered"
"""Part of the caveat of an episode whose questions had other screenshots. In the browser of the recording, a replay
treats them as a difference."""
OTHER_BROWSER = f"{OTHER_PICTURES}, which another browser drew"
"""Part of the caveat of an episode that was resumed in another browser: its screenshots cannot be compared."""


class LogEnded(GwrayError):
    """A replay needs a reply that the log does not have.

    Attributes:
        steps: rows played until then.
        irreproducible: what the environment could not control.
    """

    steps: Sequence[StepRecord] = ()
    irreproducible: Sequence[str] = ()


class LogGap(GwrayError):
    """The log has replies that depend on a missing one. `usable_lines`: its lines before the first of them."""

    usable_lines: int = 0


class TurnEnded(asyncio.CancelledError):
    """Ends an agent that asks after a question failed or after its turn. As a `CancelledError` it passes every `except
    Exception` of the agent, and ends background tasks without a traceback."""


class ReplayMismatch(AgentError):
    """A question differs from the logged one. `decision`: its turn; other attributes as in `LogEnded`."""

    decision: int = 0
    steps: Sequence[StepRecord] = ()
    irreproducible: Sequence[str] = ()


class Replies:
    """The replies of one episode: first the logged ones, then new ones, unless it is read-only.

    Of two logged replies to one question the later one counts; `unused` lists such questions.

    Args:
        logged: the lines of the reply log.
        append: stores a new reply durably, before anything else happens with it; None: read-only.
        original_pace: a logged reply takes as long as it took originally, for games whose clock cannot be stopped.
    """

    def __init__(
        self,
        logged: Sequence[LoggedReply],
        append: Callable[[LoggedReply], None] | None,
        *,
        original_pace: bool = False,
    ):
        self._lines = logged
        self._logged = {(line.decision, line.role, line.call): line for line in logged}
        self._unasked = set(self._logged)
        self._twice = {
            where for line in logged if self._logged[where := (line.decision, line.role, line.call)].reply != line.reply
        }
        self._append = append
        self._original_pace = original_pace
        self.browser = ""
        """The browser that draws this episode's screenshots."""
        self.caveats: list[str] = []
        self.other_reply = ""
        """First place at which the log differs from the reply of a local player; empty if there is none."""
        self.substitutions: dict[str, None] = {}
        """Caveats about models that answered in place of the one that was asked, in order."""
        self.replayed = 0
        self.answers: list[LoggedReply] = []
        """The lines of all replies so far."""
        self._unknown: Counter[str] = Counter()

    @property
    def unused(self) -> list[tuple[int, str, int]]:
        """Decision, role and call of logged replies that were never requested, and of questions with two replies."""
        return sorted(self._unasked | self._twice)

    @property
    def notes(self) -> tuple[str, ...]:
        """Caveats about the replies so far that leave the episode reproducible."""
        return (*self.substitutions, *unknown_caveats(self._unknown))

    def _count(self, line: LoggedReply) -> None:
        self._unknown.update(reply_unknowns(line.reply, finish_kind(line.reply.finish_reason) == "unknown"))
        self.answers.append(line)

    async def logged(self, decision: int, role: str, call: int) -> LoggedReply | None:
        """Returns the logged reply to a question, or None."""
        line = self._logged.get((decision, role, call))
        if line is None:
            return None
        self._unasked.discard((decision, role, call))
        self.replayed += 1
        self._count(line)
        if self._original_pace:
            await asyncio.sleep(line.reply.latency_ms / 1e3)
        return line

    def check_gap(self, decision: int, role: str, batch: int) -> None:
        """Raises `LogGap` if this question has no logged reply and later ones have: a line was lost, and a new reply
        to this question would change what the later ones answer."""
        for usable, line in enumerate(self._lines if self._unasked else ()):
            if line.decision > decision or (line.decision == decision and line.role == role and line.batch > batch):
                gap = LogGap(f"it has no reply of '{role}' for decision {decision}, but later ones")
                gap.usable_lines = usable
                raise gap

    @property
    def read_only(self) -> bool:
        """No model may be asked: every reply must be in the log."""
        return self._append is None

    async def append(self, line: LoggedReply) -> None:
        """Stores a new reply; durable when it returns."""
        assert self._append is not None
        self._count(line)
        await asyncio.to_thread(self._append, line)


@dataclass
class Questions:
    """The questions of one turn, for its record."""

    replies: list[Reply] = field(default_factory=list)
    """One per question, in order."""
    words: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    batches: list[list[int]] = field(default_factory=list)
    """Indices of the questions of each `ask` call."""


class RoleAsk:
    """`ask` of one role during one episode; implements `gwray.agents.Ask`."""

    def __init__(
        self, role: str, player: PlayerSpec, responders: Mapping[str, Responder], replies: Replies, session: str
    ):
        """`responders`: by the name under which the agent asks them; "" is the role's own model."""
        self._role, self._player, self._responders = role, player, responders
        self._replies, self._session = replies, session
        self._situation: Situation | None = None
        self._open = False
        self.asked = Questions()
        self.failed: GwrayError | None = None
        """The error of a failed question. It ends the turn, even if the agent catches it."""
        self.systems: dict[str, str] = {}
        """System prompt by module."""

    @property
    def has_open_question(self) -> bool:
        return self._open

    @property
    def sees_state(self) -> bool:
        """Whether a model of this role may read the game's state."""
        return any(sees_state(m) for m in (self._player.model, *self._player.helpers.values()))

    def begin(self, situation: Situation) -> None:
        """Begins a turn; only local players receive `situation`. Raises the errors of `check_closed`."""
        self.check_closed()
        self._situation, self.asked, self._open, self.failed = situation, Questions(), False, None

    def end(self) -> None:
        """Ends the turn; a later question is an error."""
        self._situation = None

    def check_closed(self) -> None:
        """Raises `AgentError` if a question was asked after the turn had ended."""
        if self._situation is None and self.failed is not None:
            raise self.failed

    async def __call__(self, *prompts: Prompt, by: str = "") -> tuple[Reply, ...]:
        if self._situation is None:
            self.failed = AgentError(
                "`ask` was called after `act` had returned, so its reply is lost. Await every question in `act`."
            )
        if self.failed is not None:
            raise TurnEnded
        assert self._situation is not None
        try:
            return await self._answer(prompts, by, self._situation)
        except GwrayError as e:
            self.failed = e
            raise

    async def _answer(self, prompts: Sequence[Prompt], by: str, situation: Situation) -> tuple[Reply, ...]:
        """Checks the questions of one `ask` call and answers them. Raises `AgentError` for a call that breaks the
        contract."""
        if not prompts:
            raise AgentError("`ask` was called without a question")
        for prompt in prompts:
            if wrong := prompt_problem(prompt):
                raise AgentError(wrong)
        if self._open:
            raise AgentError(
                "`ask` was called while another call was open, so results would depend on the order of arrival. Ask "
                "several questions in one call: await ask(first, second)"
            )
        if by and by not in self._responders:
            known = ", ".join(sorted(a for a in self._responders if a)) or "none"
            raise AgentError(f"the agent asks '{by}', which has no model. Set agent.models.{by}=MODEL "
                             f"(set: {known}).")  # fmt: skip
        first = len(self.asked.replies)
        if first + len(prompts) > self._player.agent.max_calls:
            raise AgentError(
                f"the agent asks more than {self._player.agent.max_calls} questions in one decision "
                f"({situation.decision}); raise agent.max_calls if this is intended"
            )
        self._open = True
        try:
            return await self._batch(first, prompts, by, situation)
        finally:
            self._open = False

    async def _batch(self, first: int, prompts: Sequence[Prompt], by: str, situation: Situation) -> tuple[Reply, ...]:
        """Answers the questions of one `ask` call concurrently. `first`: index of its first question in the turn."""
        for prompt in prompts:
            self.systems.setdefault(prompt.module, prompt.system)
        model = self._player.model_for(by)
        interface = self._player.agent.interface
        requests = [build_request(p, model, interface, self._session, self._role, situation.decision) for p in prompts]
        batch = len(self.asked.batches)
        pairs = zip(prompts, requests, strict=True)
        pending = [self._ask_one(first + i, batch, p, r, by, situation) for i, (p, r) in enumerate(pairs)]
        outcomes = await asyncio.gather(*pending, return_exceptions=True)
        replies: list[Reply] = []
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
            replies.append(outcome)
        for request, reply in zip(requests, replies, strict=True):
            if other := substitute_model(model, request.model_id, reply):
                self._replies.substitutions[f"{request.model_id} was asked, and {other} answered"] = None
        self.asked.replies += replies
        self.asked.words += [r.words_hash for r in requests]
        self.asked.pictures += [r.pictures_hash for r in requests]
        self.asked.batches.append([*range(first, first + len(prompts))])
        return tuple(replies)

    async def _ask_one(
        self, call: int, batch: int, prompt: Prompt, request: Request, by: str, situation: Situation
    ) -> Reply:
        """Answers question `call` of the turn from the log; otherwise asks the model and logs its reply."""
        decision = situation.decision
        line = await self._replies.logged(decision, self._role, call)
        if line is not None:
            self._compare(line, batch, request, prompt.module, by)
            if self._replies.read_only and not self._replies.other_reply:
                await self._answer_again(line, request, prompt, by, situation)
            return line.reply
        if self._replies.read_only:
            raise LogEnded(f"the reply log has no reply of '{self._role}' for decision {decision}, call {call}")
        self._replies.check_gap(decision, self._role, batch)
        answered = await self._responders[by if by in self._responders else ""].answer(request, prompt, situation)
        reply = answered.model_copy(update={"in_flight": 0, "waited_s": 0.0})
        await self._replies.append(
            LoggedReply(
                decision=decision,
                role=self._role,
                call=call,
                batch=batch,
                by=by,
                module=prompt.module,
                words_hash=request.words_hash,
                pictures_hash=request.pictures_hash,
                reply=reply,
                at=datetime.now(UTC).isoformat(timespec="milliseconds"),
                in_flight=answered.in_flight,
                waited_s=answered.waited_s,
                browser=self._replies.browser,
            )
        )
        return reply

    async def replay(self) -> Sequence[Reply]:
        """Returns this turn's logged replies without their questions, for runs whose agent must not be imported."""
        assert self._situation is not None
        batches: dict[int, list[int]] = {}
        while (
            line := await self._replies.logged(self._situation.decision, self._role, len(self.asked.replies))
        ) is not None:
            batches.setdefault(line.batch, []).append(len(self.asked.replies))
            self.asked.replies.append(line.reply)
            self.asked.words.append(line.words_hash)
            self.asked.pictures.append(line.pictures_hash)
        self.asked.batches = list(batches.values())
        return self.asked.replies

    async def _answer_again(
        self, line: LoggedReply, request: Request, prompt: Prompt, by: str, situation: Situation
    ) -> None:
        """Compares a logged reply with the one that a player without a model gives."""
        responder = self._responders.get(by, self._responders.get(""))
        if getattr(responder, "repeatable", False):
            assert responder is not None
            reply = await responder.answer(request, prompt, situation)
            if (reply.text, reply.tool_calls) != (line.reply.text, line.reply.tool_calls):
                self._replies.other_reply = f"decision {line.decision}, call {line.call} ({self._role})"

    def _compare(self, line: LoggedReply, batch: int, request: Request, module: str, by: str) -> None:
        """Raises `ReplayMismatch` unless this is the logged question. Other screenshots are noted as a caveat: another
        browser may have drawn them, and the text still matches."""
        where = f"decision {line.decision}, call {line.call}" + (f", module '{module}'" if module else "")
        if (line.words_hash, line.by, line.module, line.batch) != (request.words_hash, by, module, batch):
            others = {
                "asks another model": line.by != by,
                "is asked by another module": line.module != module,
                "is in another batch of questions": line.batch != batch,
            }
            what = next((how for how, differs in others.items() if differs), "")
            error = ReplayMismatch(
                f"role '{self._role}', {where}: the question {what or 'has another text'} than the one in the log. The "
                "game, a prompt or the agent has changed, or the agent uses input besides its observation and `ask` "
                "(the clock, randomness, a request)."
            )
            error.decision = line.decision
            raise error
        if line.pictures_hash != request.pictures_hash:
            other = line.browser not in ("", self._replies.browser)
            what = f"{OTHER_BROWSER}: {line.browser}" if other else OTHER_PICTURES
            if not any(c.endswith(what) for c in self._replies.caveats):
                self._replies.caveats.append(f"{where} ({self._role}): {what}")
