"""Builds the test model on the node that is about to load it: Ray calls it there before a replica's engine.
Imported by the engine's processes only, since it needs `ray.llm`."""

from pathlib import Path

from ray.llm._internal.common.callbacks.base import CallbackBase

from gwray.serving.weights import build


class BuildWeights(CallbackBase):
    """Builds the model `source` in `folder`; both are arguments in the deployment."""

    def on_before_download_model_files_distributed(self) -> None:
        build(self.kwargs["source"], Path(self.kwargs["folder"]))
