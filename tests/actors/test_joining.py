"""A Ray cluster that is not there is named at once."""

import socket
import time

import pytest

from gwray.actors import connect
from gwray.before_ray import prepare
from gwray.errors import UsageError


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_an_address_where_nobody_answers_is_refused_at_once(scheme):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
        began = time.monotonic()
        with pytest.raises(UsageError, match=f"'{scheme}127.0.0.1:{port}'.*executor.address=HOST:6379"):
            connect(f"{scheme}127.0.0.1:{port}")
        assert time.monotonic() - began < 10
        s.listen()
        prepare(f"{scheme}127.0.0.1:{port}")
