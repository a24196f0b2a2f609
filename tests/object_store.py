"""An S3 server in this process, and the requests that it received."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from urllib.request import Request, urlopen

import pytest

from gwray.store.storage import storage_for


class Requests:
    """Requests of the server's log since the last call of a method."""

    def __init__(self, caplog: pytest.LogCaptureFixture):
        self._log = caplog
        caplog.set_level("INFO", "werkzeug")

    def all(self) -> list[tuple[str, str]]:
        """Returns method and path of each."""
        lines = [r.getMessage().split('"')[1] for r in self._log.records if "HTTP/1.1" in r.getMessage()]
        self._log.clear()
        return [(words[0], words[1]) for words in (line.split() for line in lines)]

    def methods(self) -> list[str]:
        return [method for method, _ in self.all()]


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """URL of a bucket of an S3 server in this process, which supports conditional puts."""
    from moto.s3.responses import S3Response
    from moto.server import ThreadedMotoServer
    from s3fs import S3FileSystem

    S3FileSystem.clear_instance_cache()
    one_at_a_time, put_object = threading.Lock(), S3Response.put_object

    def put_atomically(self: S3Response) -> object:
        """Moto checks the condition and writes in two steps; S3 does both in one."""
        with one_at_a_time:
            return put_object(self)

    with pytest.MonkeyPatch.context() as settings:
        settings.setattr(S3Response, "put_object", put_atomically)
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        server.start()
        port = server.get_host_and_port()[1]
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
            settings.setenv(name, "us-east-1")
        settings.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        # Its content belongs to the process, so to an earlier use of this fixture.
        urlopen(Request(f"http://127.0.0.1:{port}/moto-api/reset", method="POST")).close()
        storage = storage_for("s3://runs/any")
        storage.fs.mkdir("runs")  # type: ignore[attr-defined]
        yield "s3://runs"
        server.stop()
        S3FileSystem.clear_instance_cache()  # they use this server
