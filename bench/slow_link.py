"""A host's cable, slow and lossy for a while. Not every kernel has `netem` for it, so packets take a way around.

The host's port leaves the bridge, and what passes between the two is carried here by hand, late or not at all. To be
used in the network of the hub, as root.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import random
import select
import socket
import subprocess
import threading
import time
from collections.abc import Iterator

DELAY_S, LOSS = 0.1, 0.05
"""Each way, so a round trip takes 200 ms longer."""
_SOL_PACKET, _VNET_HDR, _IGNORE_OUTGOING = 263, 15, 23


@contextlib.contextmanager
def slow_link(host: str, draw: random.Random) -> Iterator[None]:
    """For as long as the block lasts."""
    _ip("link", "add", "slow", "type", "veth", "peer", "name", "slow-hub")
    for end in ("slow", "slow-hub"):
        _ip("link", "set", end, "up")
    _ip("link", "set", "slow-hub", "master", "hub")
    _ip("link", "set", host, "nomaster")
    ended = threading.Event()
    carrier = threading.Thread(target=_carry, args=((_port(host), _port("slow")), ended, draw))
    carrier.start()
    try:
        yield
    finally:
        ended.set()
        carrier.join()
        _ip("link", "del", "slow")
        _ip("link", "set", host, "master", "hub")


def _ip(*words: str) -> None:
    subprocess.run(["ip", "-n", "gwray-hub", *words], check=True)


def _port(name: str) -> socket.socket:
    """Every packet that comes in there, with the kernel's notes on what is left to be done to it."""
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    port.setsockopt(_SOL_PACKET, _VNET_HDR, 1)
    port.setsockopt(_SOL_PACKET, _IGNORE_OUTGOING, 1)
    port.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**22)
    port.bind((name, 0))
    return port


def _carry(ports: tuple[socket.socket, socket.socket], ended: threading.Event, draw: random.Random) -> None:
    number, late = itertools.count(), []
    other = dict(zip(ports, reversed(ports), strict=True))
    while not ended.is_set():
        wait = min(0.05, max(0.0, late[0][0] - time.monotonic())) if late else 0.05
        for port in select.select(ports, (), (), wait)[0]:
            packet = port.recv(2**17)
            if draw.random() >= LOSS:
                heapq.heappush(late, (time.monotonic() + DELAY_S, next(number), other[port], packet))
        while late and late[0][0] <= time.monotonic():
            _, _, port, packet = heapq.heappop(late)
            with contextlib.suppress(OSError):
                port.send(packet)
    for port in ports:
        port.close()
