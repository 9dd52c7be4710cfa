"""A web server on this machine, for a test."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler, bytes], None]


@contextlib.contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """Serve each GET and POST by ``answer(handler, body)``; gives the server's address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self, b"")

        def do_POST(self) -> None:
            answer(self, self.rfile.read(int(self.headers.get("Content-Length", 0))))

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def reply(handler: BaseHTTPRequestHandler, status: int, data: bytes, content_type: str = "audio/wav") -> None:
    """Send a whole answer."""
    handler.send_response(status)
    handler.send_header("Content-Type", content_type)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)
