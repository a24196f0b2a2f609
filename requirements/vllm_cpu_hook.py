"""Lets torchvision be imported beside a CPU build of torch. Installed by `setup_vllm.py` into the engine
environment; not part of gwray.

The torchvision wheel that package indexes carry is linked against CUDA, so its compiled operators do not load, and
its Python part then fails while it attaches shapes to `torchvision::nms` and `torchvision::qnms`. The engine never
calls these two; they only have to be declared. The declaration is made the moment somebody imports torchvision, so
that other Python processes do not pay for importing torch.
"""

import sys
from importlib.abc import MetaPathFinder

_SIGNATURE = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
_kept = []


class _DeclareOperators(MetaPathFinder):
    def find_spec(self, fullname, path=None, target=None):
        if fullname != "torchvision":
            return None
        sys.meta_path.remove(self)
        import torch

        library = torch.library.Library("torchvision", "FRAGMENT")
        for name in ("nms", "qnms"):
            if not hasattr(torch.ops.torchvision, name):
                library.define(name + _SIGNATURE)
        _kept.append(library)
        return None


sys.meta_path.insert(0, _DeclareOperators())
