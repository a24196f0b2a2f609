"""The run directory of a sweep. `RunDir` owns every path; `run_dir` describes the files and when they are durable,
`storage` and `object_storage` how bytes reach a disk or an object store. Nothing here plays, scores or plans."""

from gwray.store.episodes import Episode, EpisodeMeta, EpisodeWriter
from gwray.store.frames import results_frame
from gwray.store.inputs import encode_prefix
from gwray.store.lease import Holder
from gwray.store.manifest import FORMAT, ManifestCell, PlannedEpisode, PlannedEpisodes, RunManifest
from gwray.store.pack import pack_run, unpack_texts
from gwray.store.replies import ReplyLog
from gwray.store.run_dir import RunDir
from gwray.store.seal import UNPROVABLE, Seal, read_seal, seal_after, seal_run, unseal_run
from gwray.store.status import PlayingNow, RunStatus, status_of
