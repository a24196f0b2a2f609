"""The run directory of one sweep. `RunDir` is the only class that knows its paths.

| path                     | content                                               | written by                    |
|--------------------------|-------------------------------------------------------|-------------------------------|
| `run.json`               | manifest: settings, versions, hashes of games, cells  | the driver, atomically        |
|                          | and planned episodes, see `manifest`                  |                               |
| `replies/<key>.jsonl`    | reply log of an episode                               | the lane that plays it, lines |
| `episodes/<key>.parquet` | a row per role and step, see `episodes`               | the lane, atomically          |
| `unfinished/<key>.….tmp` | its rows until it ends                                | the same lane, in batches     |
| `damaged/<key>.<n>.jsonl`| a log before its unusable part was removed            | the same lane, atomically     |
| `results.jsonl`          | one line per finished episode                         | the driver, lines             |
| `failures.jsonl`         | one line per failed one                               | the driver, lines             |
| `prefixes/<hash>.jsonl`  | the steps that forks start from, see `inputs`         | the driver, atomically        |
| `code/<hash>/….py`       | custom modules that the plan names                    | the driver, atomically        |
| `engines.jsonl`          | metrics of the engines of hosted models               | the driver, lines             |
| `judgements/<judge>.json`| a judge's settings                                    | `gwray judge`, atomically     |
| `judgements/<judge>/`    | its reply logs (`replies/<key>.jsonl`), `verdicts.jsonl` | `gwray judge`, lines       |
| `annotations.csv`        | labels by people; no result depends on them           | people                        |
| `driver.lock`            | the command that works on the run                     | `lease`                       |
| `wandb/`                 | files of the W&B client (local run directories only)  | `tracking`                    |

Every write is atomic, or an append that is durable when it returns; nothing is pickled. A key may occur several times
in `failures.jsonl` (one line per failed attempt): the last line counts.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from difflib import get_close_matches
from pathlib import Path

from gwray.errors import UsageError
from gwray.places import allowed_folders, folder_path
from gwray.records import EngineReading, EpisodeRecord, Judgement, LoggedReply, PrefixStep, StepRecord, digest, storable
from gwray.store import inputs
from gwray.store.episodes import Episode, EpisodeMeta, EpisodeReader, EpisodeWriter, open_episode
from gwray.store.io_errors import missing_error
from gwray.store.lease import Doing, Holder, LeaseFile
from gwray.store.lines import StoredRecords, append_line, each_line, encode, is_complete, read_lines
from gwray.store.manifest import FORMAT, KEY, SHAPE, RunManifest
from gwray.store.replies import ReplyLog, read_logs
from gwray.store.storage import LocalStorage, storage_for

_KEY = re.compile(KEY)
NAMED = 5
"""Runs that are listed if a run is not found."""


class RunDir:
    """`url`: a local path or any fsspec URL (s3://…, gs://…, memory://…). `libraries`: folders of games to use instead
    of those that `run.json` names. Creating the object reads nothing.

    Example: `RunDir.open("runs/demo").results()`
    """

    def __init__(self, url: str | Path, libraries: Sequence[str | Path] = ()):
        self._storage = storage_for(str(url))
        self.url = self._storage.root
        self.lease = LeaseFile(self._storage)
        self._libraries = tuple(str(folder_path(folder)) for folder in libraries)
        self._facts: tuple[int, str, tuple[str, ...]] | None = None
        """Format, id and libraries of `run.json`, once read."""

    @classmethod
    def create(cls, url: str | Path, manifest: RunManifest | None = None) -> RunDir:
        """Creates a run and assigns its random `id`. Raises `UsageError` if the directory already holds a run."""
        run = cls(url)
        if run._storage.exists("run.json"):
            raise UsageError(f"{run.url} already holds a run. Open it to continue, or choose another run_dir.")
        run._storage.begin()
        run._write_manifest(manifest or RunManifest(), uuid.uuid4().hex[:12])
        return run

    @classmethod
    def open(cls, url: str | Path, libraries: Sequence[str | Path] = ()) -> RunDir:
        """Opens an existing run. Raises `UsageError` if there is none, or this version cannot read it."""
        run = cls(url, libraries)
        run.manifest()
        return run

    @classmethod
    def is_run(cls, url: str | Path) -> bool:
        return cls(url)._storage.exists("run.json")

    @property
    def local_path(self) -> Path | None:
        """The local folder; None for a remote run."""
        return self._storage.path if isinstance(self._storage, LocalStorage) else None

    def local_folder(self, name: str) -> Path | None:
        """Returns a folder for files that only this node needs; None for a remote run. Raises `StoreError` for a link
        out of the run."""
        return self._storage.place(name) if isinstance(self._storage, LocalStorage) else None

    @property
    def id(self) -> str:
        """Random, assigned when the run was created; survives moving the directory."""
        return self._read_facts()[1]

    @property
    def libraries(self) -> tuple[str, ...]:
        """Folders of games that may be opened for this run: the given ones, or else those that `run.json` names and
        that this user named before. A run of someone else opens nothing by itself."""
        return self._libraries or allowed_folders(self._read_facts()[2])

    # manifest

    def manifest(self) -> RunManifest:
        """Reads and validates `run.json`. Raises `UsageError` if there is none, or this version cannot read it."""
        raw = self._storage.read("run.json")
        if raw is None:
            raise UsageError(f"{self.url} {self._why_none()}")
        manifest = RunManifest.read(raw, self.url)
        self._facts = manifest.format, manifest.id, manifest.libraries
        return manifest

    def _why_none(self) -> str:
        """Returns why there is no run here, and which runs are near."""
        here = self.local_path
        if here is None or here.exists():
            return f"is not a run directory: it has no run.json. {SHAPE}"
        runs = sorted(str(f.parent.name) for f in here.parent.glob("*/run.json"))
        near = ", ".join(get_close_matches(here.name, runs, NAMED, 0.4) or runs[:NAMED])
        return f"does not exist. Runs in {here.parent}: {near or 'none'}."

    def write_manifest(self, manifest: RunManifest) -> None:
        """Replaces the manifest, in the current format; `id` stays as it is."""
        self._write_manifest(manifest, self.id)

    def _write_manifest(self, manifest: RunManifest, id: str) -> None:
        manifest = manifest.model_copy(update={"format": FORMAT, "id": id})
        text = manifest.text(ensure_ascii=False)
        if text != storable(text):  # half of a surrogate pair
            text = manifest.text(ensure_ascii=True)
        self._storage.replace("run.json", text.encode() + b"\n")
        self._facts = None

    def _read_facts(self) -> tuple[int, str, tuple[str, ...]]:
        if self._facts is None:
            self.manifest()
        assert self._facts
        return self._facts

    def _written_by(self) -> str:
        try:
            return f"The run has format {self._read_facts()[0]}, this gwray writes {FORMAT}."
        except UsageError:
            return ""

    def _still_there(self) -> None:
        """Raises `StoreError` if the run was removed, because further writes would be lost silently."""
        if not self._storage.exists("run.json"):
            raise missing_error(self.url)

    # replies

    def log(self, key: str) -> ReplyLog:
        return ReplyLog(self._storage, f"replies/{_checked(key)}.jsonl", self._written_by, self._still_there)

    def logs(self, keys: Sequence[str] | None = None) -> Iterator[tuple[str, list[LoggedReply]]]:
        """Yields key and replies of these logs, or of all, in order."""
        keys = self.logged_keys() if keys is None else keys
        return read_logs(self.log, keys, remote=self.local_path is None)

    def find(self, prefix: str, keys: Iterable[str]) -> str:
        """Returns the key with this prefix. Raises `UsageError` if no key or several keys have it."""
        found = [key for key in keys if key.startswith(prefix)]
        if len(found) != 1:
            raise UsageError(
                f"'{prefix}' matches {len(found)} episodes of {self.url}, and must match one; "
                f"`gwray results {self.url} --format csv` lists the keys"
            )
        return found[0]

    def logged_keys(self) -> list[str]:
        """Returns the keys of episodes with a reply log, finished or not."""
        return self._keys("replies", ".jsonl")

    def damaged_logs(self) -> int:
        """Returns the number of logs in `damaged/`."""
        return len(self._storage.names("damaged"))

    def stamp(self) -> tuple[tuple[int, int], ...] | None:
        """Returns a value that changes with plan and results; None for a remote run."""
        if not isinstance(self._storage, LocalStorage):
            return None
        found = []
        for path in ("run.json", "results.jsonl", "failures.jsonl"):
            with suppress(OSError):
                facts = self._storage.place(path).stat()
                found.append((facts.st_mtime_ns, facts.st_size))
        return tuple(found)

    # results, and metrics of the engines that served models

    def results(self) -> list[EpisodeRecord]:
        """Returns the finished episodes, one record per key, in the order in which they first ended."""
        return self._records("results.jsonl")

    def failures(self) -> list[EpisodeRecord]:
        """Returns the episodes whose last attempt failed, without those that finished later."""
        return self.outcomes()[1]

    def outcomes(self) -> tuple[list[EpisodeRecord], list[EpisodeRecord]]:
        """Returns `results()` and `failures()`, reading each file once."""
        finished = self.results()
        done = {r.key for r in finished}
        return finished, [r for r in self._records("failures.jsonl") if r.key not in done]

    def _records(self, path: str) -> list[EpisodeRecord]:
        return list({r.key: r for r in self._each(path)}.values())

    def recorded(self) -> StoredRecords[EpisodeRecord]:
        """Returns `results()` by key, each read on access."""
        return StoredRecords(self._storage, "results.jsonl", EpisodeRecord, self._written_by)

    def each_result(self) -> Iterator[EpisodeRecord]:
        """Yields the records of `results.jsonl`, including duplicate keys."""
        return self._each("results.jsonl")

    def each_failure(self) -> Iterator[EpisodeRecord]:
        """Yields the records of `failures.jsonl`, including those of episodes that finished later."""
        return self._each("failures.jsonl")

    def _each(self, path: str) -> Iterator[EpisodeRecord]:
        return (record for _, record in each_line(self._storage, path, EpisodeRecord, self._written_by))

    def append_result(self, *records: EpisodeRecord) -> None:
        """Appends records; durable when it returns. After a kill, the first records may be there, each complete."""
        self._still_there()
        append_line(self._storage, "results.jsonl", *records)

    def append_failure(self, record: EpisodeRecord) -> None:
        self._still_there()
        append_line(self._storage, "failures.jsonl", record)

    def rewrite_results(self, records: Iterable[EpisodeRecord]) -> None:
        """Replaces `results.jsonl` atomically (for `gwray rescore`)."""
        self._storage.replace("results.jsonl", b"".join(encode(r) for r in records))

    def digest(self) -> str:
        """Returns a digest of the bytes of plan and results. It tells whether a run changed while it was read."""
        return self._digest("run.json", "results.jsonl", "failures.jsonl")

    def _digest(self, *paths: str) -> str:
        found = hashlib.sha256()
        for path in paths:
            if (file := self._storage.reader(path)) is not None:
                with file:
                    while block := file.read(1 << 20):
                        found.update(block)
            found.update(b"\0")
        return found.hexdigest()

    def append_engines(self, readings: Iterable[EngineReading]) -> None:
        self._storage.append("engines.jsonl", b"".join(encode(r) for r in readings), is_complete)

    def engines(self) -> list[EngineReading]:
        """Returns the readings of hosted models' engines, oldest first."""
        return read_lines(self._storage, "engines.jsonl", EngineReading, self._written_by)

    # episodes

    def episode_writer(self, key: str) -> EpisodeWriter:
        """Returns a writer for rows that arrive one by one."""
        return EpisodeWriter(self._storage, self._episode(key))

    def write_episode(self, key: str, steps: Iterable[StepRecord], meta: EpisodeMeta) -> None:
        with self.episode_writer(key) as writer:
            writer.append(steps)
            writer.finish(meta)

    def read_episode(self, key: str, *, images: bool = True) -> Episode:
        with self._reading(key) as file:
            return Episode(list(file.steps(images=images)), file.meta())

    def read_steps(self, key: str, *, images: bool = True) -> list[StepRecord]:
        """Returns all rows; `images=False` does not read the screenshots."""
        return list(self.iter_steps(key, images=images))

    def iter_steps(self, key: str, *, images: bool = True) -> Iterator[StepRecord]:
        """Yields the rows of an episode in order, with a few megabytes in memory at a time."""
        with self._reading(key) as file:
            yield from file.steps(images=images)

    def read_meta(self, key: str, *, check_pages: bool = False) -> EpisodeMeta:
        """Reads the metadata; `check_pages` reads the complete file and detects damage anywhere in it."""
        with self._reading(key) as file:
            return file.meta(check_pages=check_pages)

    def has_episode(self, key: str) -> bool:
        return self._storage.exists(self._episode(key))

    def episode_keys(self) -> list[str]:
        return self._keys("episodes", ".parquet")

    def _keys(self, folder: str, suffix: str) -> list[str]:
        names = self._storage.names(folder)
        return [n.removesuffix(suffix) for n in names if n.endswith(suffix) and _KEY.fullmatch(n)]

    def episode_digest(self, key: str) -> str:
        """Returns a digest of the bytes of an episode's replies and steps."""
        return self._digest(f"replies/{_checked(key)}.jsonl", self._episode(key))

    def _episode(self, key: str) -> str:
        return f"episodes/{_checked(key)}.parquet"

    def _reading(self, key: str) -> AbstractContextManager[EpisodeReader]:
        return open_episode(self._storage, self._episode(key))

    # inputs of episodes besides replies

    def write_prefix(self, data: bytes) -> None:
        """Stores the steps that a fork starts from, encoded by `encode_prefix`, under their digest."""
        inputs.write_prefix(self._storage, data)

    def read_prefix(self, name: str) -> list[PrefixStep]:
        """Reads the steps of a prefix. Raises `StoreError` if it is missing or does not match its digest."""
        return inputs.read_prefix(self._storage, name)

    def write_code(self, module: str, data: bytes) -> None:
        """Stores the source of a module under its digest."""
        self._storage.replace(inputs.code_path(module, digest(data)), data)

    def read_code(self, module: str, version: str) -> bytes | None:
        """Returns the source of a module whose digest is `version`; None if the run does not contain it. Raises
        `StoreError` if the stored source has another digest."""
        return inputs.read_code(self._storage, module, version)

    def read_annotations(self) -> str:
        """Returns the text of `annotations.csv`; empty if there is none."""
        return (self._storage.read("annotations.csv") or b"").decode("utf-8-sig", "replace")

    def write_annotations(self, text: str) -> None:
        self._still_there()
        self._storage.replace("annotations.csv", text.encode())

    # judgements, which are never part of the results

    def judges(self) -> list[str]:
        """Returns the names of the judges that have judged this run."""
        return self._keys("judgements", ".json")

    def read_judge(self, judge: str) -> bytes | None:
        """Returns the settings that `write_judge` stored; None if the judge has not judged this run."""
        return self._storage.read(f"judgements/{_checked(judge)}.json")

    def write_judge(self, judge: str, settings: bytes) -> None:
        self._still_there()
        self._storage.replace(f"judgements/{_checked(judge)}.json", settings)

    def judge_log(self, judge: str, key: str) -> ReplyLog:
        """Returns the reply log of a judge about an episode."""
        path = f"judgements/{_checked(judge)}/replies/{_checked(key)}.jsonl"
        return ReplyLog(self._storage, path, self._written_by, self._still_there)

    def judged_keys(self, judge: str) -> list[str]:
        """Returns the keys of episodes with a reply log of this judge, judged or not."""
        return self._keys(f"judgements/{_checked(judge)}/replies", ".jsonl")

    def judgements(self, judge: str) -> list[Judgement]:
        """Returns the verdicts of a judge."""
        return read_lines(self._storage, f"judgements/{_checked(judge)}/verdicts.jsonl", Judgement, self._written_by)

    def append_judgement(self, judge: str, judgement: Judgement) -> None:
        self._still_there()
        append_line(self._storage, f"judgements/{_checked(judge)}/verdicts.jsonl", judgement)

    # text files

    def texts(self) -> Iterator[tuple[str, bytes]]:
        """Yields path and content of all files except screenshots and rows, which a replay recomputes."""
        manifest = self.manifest()
        cells = [c.spec.get("code") or {} for c in manifest.cells]
        named = {name: code for codes in (*cells, manifest.kinds) for name, code in codes.items()}
        code = [inputs.code_path(n.rpartition(".")[0], c) for n, c in named.items() if "==" not in c]
        paths = ["run.json", "results.jsonl", "failures.jsonl", "engines.jsonl"]
        paths += [f"replies/{key}.jsonl" for key in self.logged_keys()]
        paths += [f"prefixes/{name}" for name in self._storage.names("prefixes") if name.endswith(".jsonl")]
        for judge in self.judges():
            paths += [f"judgements/{judge}.json", f"judgements/{judge}/verdicts.jsonl"]
            paths += [f"judgements/{judge}/replies/{key}.jsonl" for key in self.judged_keys(judge)]
        for path in dict.fromkeys([*paths, *sorted(code)]):
            if (data := self._storage.read(path, None)) is not None:
                yield path, data

    def put_text(self, path: str, data: bytes) -> None:
        """Writes a file from `texts` into a new run directory."""
        self._storage.begin()
        self._storage.replace(path, data)

    # driver

    def lock(self, doing: Doing = "played") -> AbstractContextManager[None]:
        """Holds the lease of the run, which need not exist yet, for one command. Raises `RunInUse`."""
        return self.lease.hold(doing)

    def holder(self) -> Holder | None:
        """Returns the command that works on the run."""
        return self.lease.holder()

    def is_driven(self) -> bool:
        """Returns whether the run is being played now."""
        holder = self.holder()
        return holder is not None and holder.doing == "played"


def _checked(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise UsageError(f"'{key[:80]}' is not an episode key: letters, digits, '.', '_' and '-' only.")
    return key
