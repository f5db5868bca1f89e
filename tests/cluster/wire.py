"""A wire between a client and the API server, on which something happens in the middle of a run."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

_PIECE = 16_384


class Wire:
    """Hands bytes to and fro, and calls once so many have come from the server."""

    def __init__(self, server: str) -> None:
        parts = urlsplit(server)
        self._server = (parts.hostname or "", parts.port or 443)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self.received = 0
        self._limit = 0
        self._call: Callable[[], None] | None = None
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def close(self) -> None:
        self._listener.close()

    def at(self, limit: int, call: Callable[[], None]) -> None:
        """What to do when so many bytes have come; the bytes wait until it is done."""
        self.received, self._limit, self._call = 0, limit, call

    def cut(self) -> None:
        """Lose what is under way: what waits in a socket outlives a server that is killed."""
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def kubeconfig(self, of: Path, path: Path) -> Path:
        """The same kubeconfig, by way of this wire."""
        host = self._server[0]
        here = f"server: 'https://127.0.0.1:{self.port}', tls-server-name: '{host}'"
        there = f"server: 'https://{host}:{self._server[1]}'"
        path.write_text(of.read_text().replace(there, here))
        path.chmod(0o600)
        return path

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._server)
            except OSError:
                if self._listener.fileno() < 0:
                    return
                client.close()
                continue
            self._ends += (client, server)
            for source, target, counts in ((client, server, False), (server, client, True)):
                hand = (source, target, counts)
                threading.Thread(target=self._hand, args=hand, daemon=True).start()

    def _hand(self, source: socket.socket, target: socket.socket, counts: bool) -> None:
        try:
            while piece := source.recv(_PIECE):
                # Questions wait, too, while something happens: nobody may run ahead of it.
                self._count(len(piece) if counts else 0)
                target.sendall(piece)
        except OSError:
            pass
        finally:
            for end in (source, target):
                end.close()

    def _count(self, size: int) -> None:
        with self._lock:
            self.received += size
            if self._call and self.received >= self._limit:
                call, self._call = self._call, None
                call()


@contextmanager
def wire_to(server: str) -> Iterator[Wire]:
    wire = Wire(server)
    try:
        yield wire
    finally:
        wire.close()
