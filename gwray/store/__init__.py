"""The run directory: everything a sweep leaves behind, and the only place that knows where it lies. `RunDir` owns every
path. What is in it and when it is durable is described in `run_dir`; how bytes reach a disk or an object store in
`storage`. This room knows records and errors; it plays, scores and plans nothing."""

from gwray.store.episodes import Episode, EpisodeMeta, EpisodeWriter
from gwray.store.frames import results_frame
from gwray.store.lock import Holder
from gwray.store.manifest import FORMAT, ManifestCell, PlannedEpisode, PlannedEpisodes, RunManifest
from gwray.store.pack import pack_run, unpack_texts
from gwray.store.prefixes import encode_prefix
from gwray.store.replies import ReplyLog
from gwray.store.run_dir import RunDir
from gwray.store.seal import Seal, read_seal, seal_run, seal_with, unseal_run
from gwray.store.verified import UNPROVABLE, Verifiable, Verified, note_verified, read_verified
