"""What goes wrong when a model is started, in the engine's own last lines and with the likely fix.

An engine prints hundreds of lines before it dies; the few that say why are picked out here and matched with what
helps. Knows texts, not engines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gwray.errors import ModelError

KEEP = 12
"""Lines of the engine's output that an error carries."""


class ServingError(ModelError):
    """A model could not be served. Its cells fail with this message; trying again would not help."""


_FIXES: tuple[tuple[str, str], ...] = (
    (
        r"running low on memory|memory pressure|oom-kill|SIGKILL|exit code:? -9",
        "The machine's own memory ran out while the model was loaded: raise resources.memory_gb in "
        "conf/deployment/{name}.yaml (Ray keeps that much free), lower executor.actors, or close other programs.",
    ),
    (
        r"CUDA out of memory|OutOfMemoryError|less than desired GPU memory utilization",
        "The GPU is too small or not empty: check nvidia-smi, lower max_model_len or max_num_seqs, raise "
        "tensor_parallel or take a quantised model_source.",
    ),
    (
        r"KV cache is needed|No available memory for the cache blocks|larger than the available KV cache memory"
        r"|max seq len .* is larger than the maximum number of tokens|max_model_len .* is greater than the derived",
        "The context does not fit beside the weights: lower max_model_len (or images_per_prompt), or give it more GPUs "
        "with tensor_parallel. On the CPU engine raise env.VLLM_CPU_KVCACHE_SPACE (GB).",
    ),
    (
        r"GatedRepoError|gated repo|401 Client Error|403 Client Error",
        "The hub refuses these weights: accept their licence at https://huggingface.co/{source} and set HF_TOKEN. A "
        "misspelt model_source is refused in the same way.",
    ),
    (
        r"LocalEntryNotFoundError|OfflineModeIsEnabled|outgoing traffic has been disabled|couldn't connect to"
        r"|Cannot reach|Failed to resolve|NameResolutionError|Network is unreachable|Can't load (the )?config"
        r"|does not appear to have|Invalid repository ID or local directory|Cannot find any model weights"
        r"|not a valid (model identifier|Hugging Face repo)|Repo id must be",
        "The weights are not here and cannot be fetched. Pre-fetch them on a machine with network: "
        "`hf download {source} --local-dir /models/{name}`, copy the folder to every node (or mount it), and set "
        "model_source=/models/{name} in conf/deployment/{name}.yaml.",
    ),
    (
        r"Model architectures .* are not supported|Transformers does not recognize this architecture",
        "This engine does not know the model: gwray is tested with the pair of Ray and vLLM in pyproject.toml. Start a "
        "newer vLLM by hand, and use it with serving=external serving.base_url=….",
    ),
    (
        r"Failed to find C compiler|Python\.h: No such file|cuda\.h: No such file",
        "The engine compiles for its GPU when it starts: apt-get install gcc and Python's headers (python3.11-dev).",
    ),
    (
        r"Unknown engine argument|unexpected keyword argument|Invalid vLLM config",
        "An engine argument in conf/deployment/{name}.yaml is not known to this vLLM: gwray is tested with the pair in "
        "pyproject.toml (extra `serving`).",
    ),
    (
        r"shortest_edge.*longest_edge",
        "The model's preprocessor_config.json lacks sizes: set mm_processor_kwargs.size in "
        "conf/deployment/{name}.yaml.",
    ),
    (
        r"At most \d+ image",
        "The prompt has more pictures than the engine admits: raise images_per_prompt, or lower memory_rounds.",
    ),
    (
        r"not enough resources|No available node types can fulfill|pending resource|Insufficient"
        r"|waiting for .*resources",
        "Ray has no free node for it: see `ray status`; another job may hold the GPUs, or lower executor.actors.",
    ),
    (
        r"libcudart|libcuda\.so|NVIDIA driver|CUDA driver|no CUDA-capable device|Failed to infer device type",
        "The engine found no usable GPU: check nvidia-smi and the driver, or use serving=vllm_cpu with a tiny model.",
    ),
    (
        r"No module named 'vllm'|vLLM is not installed|ray\[llm\]",
        "This Python has no engine. GPU: pip install 'gwray[serving]'. Without a GPU: make setup-vllm, then start the "
        "run with .venv-vllm/bin/python launch.py ….",
    ),
    (
        r"Unsupported CPU attention|torchvision::nms|CPU.*not supported",
        "The CPU engine cannot run this model: use the tiny-vl profile, or a GPU.",
    ),
    (r"Address already in use|address in use", "A port is taken: an earlier run may still be closing; try again."),
)

_NOISE = re.compile(r"^\s*(File \"|\^+|~+|at 0x|raise |return |await |self\.)|^\s*$|^Traceback|frame #\d")
_PREFIX = re.compile(
    r"^(\x1b\[[0-9;]*m)*(\([^)]*\)\s*)*(ERROR|INFO|WARNING)?\s*[\d-]*\s*[\d:,]*\s*(\[[\w.]+:\d+\])?\s*"
)
_TELLS = re.compile(r"(\w*Error|\w*Exception|error:|failed|ERROR|CRITICAL|Killed|out of memory)", re.I)


def last_lines(log: str | Sequence[str], keep: int = KEEP) -> list[str]:
    """The lines that say why, oldest first, without prefixes, frames and repetition."""
    lines = log.splitlines() if isinstance(log, str) else list(log)
    seen: set[str] = set()
    out: list[str] = []
    for raw in reversed(lines):
        line = _PREFIX.sub("", raw).rstrip()
        if _NOISE.search(line) or not _TELLS.search(line) or line in seen:
            continue
        seen.add(line)
        out.append(line[:400])
        if len(out) == keep:
            break
    return out[::-1] or [line.rstrip()[:400] for line in lines if line.strip()][-keep:]


def likely_fix(text: str, name: str, source: str) -> str:
    """What to do about it, or where to look when the text is new to us."""
    for pattern, fix in _FIXES:
        if re.search(pattern, text, re.I):
            return fix.replace("{name}", name).replace("{source}", source)
    return "See the engine's whole output in Ray's session folder (logs/serve/ and logs/worker-*.err)."


def failure(name: str, source: str, what: str, log: str | Sequence[str] = "") -> ServingError:
    """The error of a model that could not be started."""
    whole = log if isinstance(log, str) else "\n".join(log)
    lines = last_lines(log) if log else []
    said = "".join(f"\n  | {line}" for line in lines)
    return ServingError(f"{name}: {what}.{said}\n  Likely fix: {likely_fix(what + whole, name, source)}")
