"""The planning agent of PokeGym: it compares the screen with the one before, looks to the sides, and plans up to three
actions, in one reply that ends with a list. The prompts are our own."""

import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents import (
    ActionSpace,
    AgentContext,
    Ask,
    Call,
    Decision,
    Modular,
    Module,
    Parametric,
    Parsed,
    Refused,
    Semantic,
    Turn,
)
from gwray.catalog import Control, Parameter, ParameterRef
from gwray.errors import UsageError
from gwray.records import Wait
from gwray.settings import AgentSpec
from gwray.studies.pokegym.action_list import LIST, ActionList
from gwray.studies.pokegym.self_reflection import Refine, Revise, Trajectory

IDLE = ("", "idle")
"""Entries that let time pass, also where the role has no control for it."""


class Listed(Semantic):
    """Controls as entries of a list: an empty entry waits, and an entry may have `duration` and `parameters`. Names are
    those of the controls or the paper's (`MoveForward`, `Left`, `PressA`): case, spaces and `_` do not count."""

    def parse(self, call: Call) -> Parsed | Refused:
        name = _letters(call.name)
        control = next((c for c in self.role.controls if name and name in _names(c)), None)
        if control is None:
            return Parsed(Wait()) if name in IDLE else super().parse(call)
        given = self.arguments(call)
        if {"duration", "parameters"}.isdisjoint(given):
            return super().parse(Call(control.id, call.arguments))
        arguments = _arguments(control, given)
        return arguments if isinstance(arguments, Refused) else super().parse(Call(control.id, arguments))

    def describe(self, call: Call | Refused, parsed: Parsed) -> str:
        return super().describe(call, parsed) or '""'

    def example_list(self, count: int) -> str:
        """Returns the example of the prompt: a list with up to `count` entries."""
        controls = self.role.controls
        picked = controls[: count - 1] if count > 1 else controls[:1]
        entries = [self._entry(c) for c in picked]
        return json.dumps({LIST: [*entries, ""] if count > 1 else entries})

    def _entry(self, control: Control) -> Any:
        if not control.parameters:
            return control.id
        ms, others = _parameter_names(control)
        entry: dict[str, Any] = {"type": control.id}
        if ms:
            entry["duration"] = int(self.role.hold_ms)
        values = [control.parameters[name] for name in others]
        return entry | ({"parameters": [_example(p) for p in values]} if values else {})


class ListedSticks(Listed, Parametric):
    """Sticks as entries of a list."""


SPACES: Mapping[str, type[ActionSpace]] = {"semantic": Listed, "parametric": ListedSticks}


class Stages(Module):
    """Asks for three stages of reasoning and a list of actions, in one question.

    Raises:
        UsageError: the interface has no controls.
    """

    name = "stages"
    acts = True

    def __init__(self, context: AgentContext, spec: AgentSpec):
        if spec.interface not in SPACES:
            raise UsageError(
                f"interface '{spec.interface}': module '{self.name}' lists controls. Choose interface=semantic or "
                "interface=parametric, or end agent.modules with act."
            )
        super().__init__(context.with_space(SPACES[spec.interface], ActionList()), spec)

    async def run(self, turn: Turn, ask: Ask) -> Decision:
        (reply,) = await ask(self.context.action_prompt(turn.observation, more=turn.notes.parts()))
        return self.context.decide(reply)


class PokeGym(Modular):
    """The paper's planning agent, with or without self-reflection."""

    MODULES: ClassVar[Mapping[str, type[Module]]] = {
        **Modular.MODULES, **{m.name: m for m in (Trajectory, Refine, Revise, Stages)},
    }  # fmt: skip


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _names(control: Control) -> tuple[str, ...]:
    """Returns the names of a control, without case and separators: its own, and for a stick its side."""
    name = _letters(control.id)
    return (name, name.removesuffix("stick")) if control.stick else (name,)


def _example(parameter: Parameter) -> Any:
    """Returns an argument between the middle and the end, which shows that fractions are possible."""
    values = parameter.samples() or [parameter.example]
    return values[3 * len(values) // 4]


def _parameter_names(control: Control) -> tuple[str, list[str]]:
    """Returns the name of the parameter that is the duration (empty: none), and the names of the others."""
    ms = control.hold_ms.param if isinstance(control.hold_ms, ParameterRef) else ""
    return ms, [name for name in control.parameters if name != ms]


def _arguments(control: Control, given: Mapping[str, Any]) -> dict[str, Any] | Refused:
    """Returns the arguments of a control by name, from `duration` and `parameters`."""
    ms, others = _parameter_names(control)
    arguments = {name: given[name] for name in control.parameters if name in given}
    values = given.get("parameters") or []
    if isinstance(values, Mapping):
        arguments |= {str(k).lower(): v for k, v in values.items()}
    elif isinstance(values, list):
        if len(values) > len(others):
            wanted = f"[{', '.join(others)}]" if others else "no parameters"
            return Refused(f"{control.id} takes {wanted}, not {len(values)} parameters", control.id)
        arguments |= dict(zip(others, values, strict=False))
    else:
        return Refused(f"the parameters of {control.id} are a list, not {values!r:.40}", control.id)
    if ms and "duration" in given:
        arguments[ms] = given["duration"]
    return arguments
