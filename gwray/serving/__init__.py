"""Hosting of self-hosted models, and the endpoints of everything else.

`RayServing` deploys models with Ray Serve and vLLM, `ExternalServing` uses a running server; both have the same
methods. Ray and the engine are imported when something is deployed, never before: planning needs neither.
"""

from gwray.serving.cluster import remove_leftovers, this_machine
from gwray.serving.cluster import resources as cluster_resources
from gwray.serving.external import ExternalServing
from gwray.serving.faults import ServingError
from gwray.serving.host import fits, serve_model
from gwray.serving.metrics import EngineSample, EngineSummary
from gwray.serving.placement import ClusterResources, Node, cpus_taken, misfit, waves
from gwray.serving.profile import DeploymentSpec, Resources, read_deployment, serving_files
from gwray.serving.ray_serving import Endpoint, RayServing

__all__ = [
    "ClusterResources",
    "DeploymentSpec",
    "Endpoint",
    "EngineSample",
    "EngineSummary",
    "ExternalServing",
    "Node",
    "RayServing",
    "Resources",
    "ServingError",
    "cluster_resources",
    "cpus_taken",
    "fits",
    "misfit",
    "read_deployment",
    "remove_leftovers",
    "serve_model",
    "serving_files",
    "this_machine",
    "waves",
]
