"""Proxies on this machine that let one connection through, or do not."""

import socket
import ssl
import threading
from collections.abc import Callable

# Reads what a client asks of a proxy, and says whether it may pass.
Greeting = Callable[[socket.socket, list[bytes]], bool]


def connects(reply: bytes = b"HTTP/1.1 200 Connection established\r\n\r\n") -> Greeting:
    def greet(client: socket.socket, seen: list[bytes]) -> bool:
        seen.append(client.recv(65536))
        client.sendall(reply)
        return b" 200 " in reply

    return greet


def socks(code: int = 0) -> Greeting:
    """Version 5, with a name and a word where the client offers them."""

    def greet(client: socket.socket, seen: list[bytes]) -> bool:
        hello = client.recv(262)
        if 2 in hello[2:]:
            client.sendall(b"\x05\x02")
            seen.append(client.recv(513))
            client.sendall(b"\x01\x00")
        else:
            client.sendall(b"\x05\x00")
        seen.append(client.recv(262))
        client.sendall(bytes((5, code, 0, 1, 0, 0, 0, 0, 0, 0)))
        return code == 0

    return greet


def proxy(
    port: int, greet: Greeting, seen: list[bytes], tls: ssl.SSLContext | None = None
) -> tuple[int, threading.Thread]:
    """A proxy that lets one connection through to a port, or does not."""
    door = socket.create_server(("127.0.0.1", 0))

    def copy(one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65536):
                other.sendall(data)
        except OSError:
            pass
        finally:
            other.close()

    def serve() -> None:
        with door:
            client, _ = door.accept()
        if tls:
            try:
                client = tls.wrap_socket(client, server_side=True)
            except ssl.SSLError:
                return
        with client:
            if not greet(client, seen):
                return
            there = socket.create_connection(("127.0.0.1", port))
            back = threading.Thread(target=copy, args=(there, client), daemon=True)
            back.start()
            copy(client, there)
            back.join()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return door.getsockname()[1], thread
