"""The replies of an episode: the log, and the one way in which an agent gets at it.

`RoleAsk` is the `ask` of one role. It numbers the questions of a turn, takes their replies from the log as far as the
log goes, and only then asks whoever answers. A logged reply whose question was said in other words ends the episode:
whatever was reached around `ask` shows here, at the first replay.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gwray.agents import (
    Prompt,
    Request,
    Responder,
    Situation,
    build_request,
    prompt_problem,
    sees_state,
    substitute_model,
)
from gwray.errors import AgentError, GwrayError
from gwray.records import LoggedReply, Reply, StepRecord
from gwray.spec import PlayerSpec


def served_models(names: Iterable[str]) -> str:
    """Names of those who answered, as an episode's record has them: each once, in order."""
    return ", ".join(sorted({*names} - {""}))


OTHER_PICTURES = "other pictures than those that were answered"
"""What a caveat says of questions that were asked with other pictures: another browser had drawn them."""


class LogEnded(GwrayError):
    """A replay needs a reply that the log does not have. `steps`: what was played until then; `irreproducible`: what
    the world could not control."""

    steps: Sequence[StepRecord] = ()
    irreproducible: Sequence[str] = ()


class LogHole(GwrayError):
    """The log has replies that hang on one that it does not have. `kept`: its lines before the first of them."""

    kept: int = 0


class TurnOver(asyncio.CancelledError):
    """Ends the turn of an agent that asks on after a question failed, or after the turn: no `except Exception` of its
    holds this back, and a task that it left behind ends without a word."""


class Differs(AgentError):
    """A question was asked in other words than the one that was answered. `decision`: of which turn; `steps` and
    `irreproducible` as of `LogEnded`."""

    decision: int = 0
    steps: Sequence[StepRecord] = ()
    irreproducible: Sequence[str] = ()


class Replies:
    """The replies of one episode: first those already logged, then (if anybody may be asked) new ones.

    A new reply is handed to `append` the moment it arrives, before anything is done with it. `at_their_pace`: a logged
    reply takes as long as it took, for a game whose clock cannot be stopped. Of two replies to one question the later
    counts; that there are two, or one that nobody asks for, is said by `unused`.
    """

    def __init__(
        self,
        logged: Sequence[LoggedReply],
        append: Callable[[LoggedReply], None] | None,
        *,
        at_their_pace: bool = False,
    ):
        self._lines = logged
        self._logged = {(line.decision, line.role, line.call): line for line in logged}
        self._unasked = set(self._logged)
        self._twice = {
            where for line in logged if self._logged[where := (line.decision, line.role, line.call)].reply != line.reply
        }
        self._append = append
        self._at_their_pace = at_their_pace
        self.caveats: list[str] = []
        self.moved: dict[str, None] = {}
        """What must be known of who answered: another model than the one that was asked."""
        self.replayed = 0
        self.in_flight = 0
        """The largest of the replies so far."""
        self._served: set[str] = set()

    @property
    def unused(self) -> list[tuple[int, str, int]]:
        """Turn, role and question of logged replies that nobody asked for, and of questions with two replies."""
        return sorted(self._unasked | self._twice)

    @property
    def served_model(self) -> str:
        """Who answered so far, as records name them."""
        return served_models(self._served)

    def _noted(self, line: LoggedReply) -> None:
        self.in_flight = max(self.in_flight, line.in_flight)
        self._served.add(line.reply.served_model)

    async def logged(self, decision: int, role: str, call: int) -> LoggedReply | None:
        """The logged reply to that question, or None."""
        line = self._logged.get((decision, role, call))
        if line is None:
            return None
        self._unasked.discard((decision, role, call))
        self.replayed += 1
        self._noted(line)
        if self._at_their_pace:
            await asyncio.sleep(line.reply.latency_ms / 1e3)
        return line

    def check_end(self, decision: int, role: str, batch: int) -> None:
        """`LogHole` if there are replies to questions that came after this one, which has none: a line was lost, and
        they are replies to something else if it is answered anew."""
        for kept, line in enumerate(self._lines if self._unasked else ()):
            if line.decision > decision or (line.decision == decision and line.role == role and line.batch > batch):
                hole = LogHole(f"it has no reply of '{role}' for decision {decision}, but later ones")
                hole.kept = kept
                raise hole

    @property
    def closed(self) -> bool:
        """Nobody may be asked: the log is all there is."""
        return self._append is None

    async def keep(self, line: LoggedReply) -> None:
        """Write a new reply down; durable when it returns."""
        assert self._append is not None
        self._noted(line)
        await asyncio.to_thread(self._append, line)


@dataclass
class Questions:
    """The questions of one turn, for its record."""

    replies: list[Reply] = field(default_factory=list)
    """In the order of the questions."""
    words: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    batches: list[list[int]] = field(default_factory=list)
    """Numbers of the questions that were asked at once."""


class RoleAsk:
    """`ask` of one role during one episode; implements `gwray.agents.Ask`."""

    def __init__(
        self,
        role: str,
        player: PlayerSpec,
        responders: Mapping[str, Responder],
        replies: Replies,
        session: str,
    ):
        """`responders`: who answers, by the name under which the agent asks; "" is the role's own model."""
        self._role, self._player, self._answerers = role, player, responders
        self._replies, self._session = replies, session
        self._situation: Situation | None = None
        self._open = False
        self.asked = Questions()
        self.failed: GwrayError | None = None
        """Why a question of this turn was not answered: the turn is over then, whatever the agent makes of it."""
        self.systems: dict[str, str] = {}
        """Static text of the questions, by the module that asks."""

    @property
    def busy(self) -> bool:
        """A question is open."""
        return self._open

    @property
    def sees_state(self) -> bool:
        """Somebody who may answer reads the game's state."""
        return any(sees_state(m) for m in (self._player.model, *self._player.helpers.values()))

    def begin(self, situation: Situation) -> None:
        """A new turn; `situation` goes to local players only. Raises what `check_closed` raises."""
        self.check_closed()
        self._situation, self.asked, self._open, self.failed = situation, Questions(), False, None

    def end(self) -> None:
        """The turn is over: what is asked from now on is nobody's question."""
        self._situation = None

    def check_closed(self) -> None:
        """`AgentError` if something was asked after the turn was over."""
        if self._situation is None and self.failed is not None:
            raise self.failed

    async def __call__(self, *prompts: Prompt, by: str = "") -> tuple[Reply, ...]:
        if self._situation is None:
            self.failed = AgentError(
                "`ask` was called after `act` had returned, where its reply can decide nothing. Await every question."
            )
        if self.failed is not None:
            raise TurnOver
        assert self._situation is not None
        try:
            return await self._answer(prompts, by, self._situation)
        except GwrayError as e:
            self.failed = e
            raise

    async def _answer(self, prompts: Sequence[Prompt], by: str, situation: Situation) -> tuple[Reply, ...]:
        if not prompts:
            raise AgentError("`ask` was called without a question")
        for prompt in prompts:
            if wrong := prompt_problem(prompt):
                raise AgentError(wrong)
        if self._open:
            raise AgentError(
                "`ask` was called while another call was open: the order of arrival would decide. Ask several "
                "questions in one call: await ask(first, second)"
            )
        if by and by not in self._answerers:
            known = ", ".join(sorted(a for a in self._answerers if a)) or "none"
            raise AgentError(f"the agent asks '{by}', for which no model is named. Set agent.models.{by}=MODEL "
                             f"(named: {known}).")  # fmt: skip
        first = len(self.asked.replies)
        if first + len(prompts) > self._player.agent.max_calls:
            raise AgentError(
                f"the agent asks more than {self._player.agent.max_calls} questions in one decision "
                f"({situation.decision}); raise agent.max_calls if that is meant"
            )
        self._open = True
        try:
            return await self._batch(first, prompts, by, situation)
        finally:
            self._open = False

    async def _batch(self, first: int, prompts: Sequence[Prompt], by: str, situation: Situation) -> tuple[Reply, ...]:
        for prompt in prompts:
            self.systems.setdefault(prompt.module, prompt.system)
        model = self._player.model_for(by)
        interface = self._player.agent.interface
        requests = [build_request(p, model, interface, self._session) for p in prompts]
        batch = len(self.asked.batches)
        pairs = zip(prompts, requests, strict=True)
        asking = [self._one(first + i, batch, p, r, by, situation) for i, (p, r) in enumerate(pairs)]
        outcomes = await asyncio.gather(*asking, return_exceptions=True)
        replies: list[Reply] = []
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
            replies.append(outcome)
        for request, reply in zip(requests, replies, strict=True):
            if other := substitute_model(model, request.model_id, reply):
                self._replies.moved[f"{request.model_id} was asked, and {other} answered"] = None
        self.asked.replies += replies
        self.asked.words += [r.words_hash for r in requests]
        self.asked.pictures += [r.pictures_hash for r in requests]
        self.asked.batches.append([*range(first, first + len(prompts))])
        return tuple(replies)

    async def _one(
        self, call: int, batch: int, prompt: Prompt, request: Request, by: str, situation: Situation
    ) -> Reply:
        decision = situation.decision
        line = await self._replies.logged(decision, self._role, call)
        if line is not None:
            self._compare(line, batch, request, prompt.module, by)
            return line.reply
        if self._replies.closed:
            raise LogEnded(f"the reply log has no reply of '{self._role}' for decision {decision}, call {call}")
        self._replies.check_end(decision, self._role, batch)
        answered = await self._answerers[by if by in self._answerers else ""].answer(request, prompt, situation)
        reply = answered.model_copy(update={"in_flight": 0})
        await self._replies.keep(
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
            )
        )
        return reply

    async def replay(self) -> Sequence[Reply]:
        """Take this turn's replies from the log as they are, without knowing the questions: for a reader of a run whose
        agent must not be imported."""
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

    def _compare(self, line: LoggedReply, batch: int, request: Request, module: str, by: str) -> None:
        """`Differs` unless this is the question that was answered. Other pictures (another browser drew them) are a
        caveat: the words are proven all the same."""
        where = f"decision {line.decision}, call {line.call}" + (f", module '{module}'" if module else "")
        if (line.words_hash, line.by, line.module, line.batch) != (request.words_hash, by, module, batch):
            others = {
                "asks another model": line.by != by,
                "is asked by another module": line.module != module,
                "is asked beside other questions": line.batch != batch,
            }
            what = next((how for how, differs in others.items() if differs), "")
            error = Differs(
                f"role '{self._role}', {where}: the question {what or 'is said in other words'} than the one that was "
                "answered in the log. The game, a prompt or the agent has changed, or the agent uses something beside "
                "what it sees and `ask` (the clock, chance, a request of its own)."
            )
            error.decision = line.decision
            raise error
        if line.pictures_hash != request.pictures_hash and not self._replies.caveats:
            self._replies.caveats.append(f"{where} ({self._role}): {OTHER_PICTURES}")
