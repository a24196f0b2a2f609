"""The agents that COAST is compared with: Cradle, Agent S2, and COAST's questions in one prompt."""

from collections.abc import Mapping
from typing import ClassVar

from gwray.agents import Modular, Module
from gwray.studies.flashadventure.agent_s2 import Manager, Point
from gwray.studies.flashadventure.coast_modules import Merged
from gwray.studies.flashadventure.cradle import Gather, Infer, Memory


class Baseline(Modular):
    """Runs these modules and the general ones, in the order of `agent.modules`."""

    MODULES: ClassVar[Mapping[str, type[Module]]] = {
        **Modular.MODULES,
        **{m.name: m for m in (Gather, Memory, Infer, Manager, Point, Merged)},
    }
