"""Downloads weights to the node that is about to load them. Ray calls it on each node of a replica, before its engine.
Imported by the engine's processes only, since it needs `ray.llm`."""

from pathlib import Path

from ray.llm._internal.common.callbacks.base import CallbackBase

from gwray.serving.weights import download


class DownloadWeights(CallbackBase):
    """Downloads `url` into `folder`; both are arguments in the deployment."""

    def on_before_download_model_files_distributed(self) -> None:
        download(self.kwargs["url"], Path(self.kwargs["folder"]))
