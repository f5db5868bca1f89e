"""Servers of one namespace, as a program: web servers, open ports, and the metrics of etcd."""

import json
import socket
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Web(BaseHTTPRequestHandler):
    body = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(self.body)

    do_HEAD = do_GET  # noqa: N815 - the library's spelling

    def log_message(self, format: str, *args: object) -> None:  # noqa: ARG002
        return


def web(address: str, port: int, body: str = "") -> ThreadingHTTPServer:
    handler = type("Handler", (Web,), {"body": body.encode()})
    server = ThreadingHTTPServer((address, port), handler)
    server.daemon_threads = True
    return server


def secure(address: str, certificate: str, key: str) -> ThreadingHTTPServer:
    server = web(address, 443)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    # The handshake happens in the thread of the connection, where a bad one hurts nobody else.
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
    return server


def listen(address: str, port: int) -> None:
    opened = socket.create_server((address, port))
    while True:
        connection, _ = opened.accept()
        connection.close()


def main() -> None:
    spec = json.loads(sys.argv[1])
    servers = [secure(*row) for row in spec.get("https", [])]
    servers += [web(*row) for row in spec.get("http", [])]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    for row in spec.get("tcp", []):
        threading.Thread(target=listen, args=row, daemon=True).start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    threading.Event().wait()


if __name__ == "__main__":
    main()
