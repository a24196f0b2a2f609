"""Hosts self-hosted models. `RayServing` deploys models with Ray Serve and vLLM, `ExternalServing` uses a running
server; both have the same methods. Ray and the engine are imported when a model is deployed, never before: planning
needs neither."""

from gwray.serving.cluster import cluster_resources, remove_leftovers, this_machine
from gwray.serving.external import ExternalServing
from gwray.serving.host import serve_model
from gwray.serving.metrics import EngineSummary
from gwray.serving.placement import ClusterResources, Node, capacity_problem, reserved_cpus, waves
from gwray.serving.probe import ServingError
from gwray.serving.profile import (
    DeploymentSpec,
    Resources,
    deployment_name,
    effective_overrides,
    read_deployment,
    serving_files,
)
from gwray.serving.ray_serving import Endpoint, RayServing
from gwray.serving.weights import revision, trained_on
