"""A local server for tests: it records requests, and answers or misbehaves as it is told."""

from __future__ import annotations

import base64
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What arrived."""

    path: str
    headers: dict[str, str]
    json: dict[str, Any]

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The parts of all user turns of a chat completion request."""
        turns = [turn["content"] for turn in self.json["messages"] if turn["role"] == "user"]
        return [part for content in turns for part in content]

    @property
    def audio(self) -> list[bytes]:
        """The clips, decoded."""
        encoded = []
        for part in self.parts:
            if part["type"] == "input_audio":
                assert part["input_audio"]["format"] == "wav"
                encoded.append(part["input_audio"]["data"])
            elif part["type"] == "audio_url":
                kind, _, data = part["audio_url"]["url"].partition(",")
                assert kind == "data:audio/wav;base64"
                encoded.append(data)
        return [base64.b64decode(data, validate=True) for data in encoded]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What is sent back."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "application/json"})
    wait_s: float = 0.0
    """Before anything is sent."""
    drip_s: float = 0.0
    """Between single bytes of the body."""
    cut_at: int | None = None
    """Close the connection after so many bytes of the body, although more were promised."""
    hang_up: bool = False
    """Close the connection, by a reset, before a status line is sent."""


def says(text: Any, **message: Any) -> Reply:
    """A chat completion with this content."""
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text, **message},
    }
    answer = {"id": "x", "object": "chat.completion", "model": "served", "choices": [choice]}
    return Reply(body=json.dumps(answer).encode())


class Server:
    """A running server."""

    def __init__(self, reply: Callable[[Request, int], Reply]) -> None:
        self.reply = reply
        self.requests: list[Request] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                data = json.loads(self.rfile.read(length))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(path=self.path, headers=headers, json=data)
                with server._lock:
                    number = len(server.requests)
                    server.requests.append(request)
                    server._at_once += 1
                    server.most_at_once = max(server.most_at_once, server._at_once)
                try:
                    self._send(server.reply(request, number))
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True
                finally:
                    with server._lock:
                        server._at_once -= 1

            def _send(self, reply: Reply) -> None:
                time.sleep(reply.wait_s)
                if reply.hang_up:
                    linger = struct.pack("ii", 1, 0)
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    self.close_connection = True
                    self.connection.close()
                    return
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(reply.body)))
                self.end_headers()
                if reply.drip_s:
                    for byte in reply.body:
                        self.wfile.write(bytes([byte]))
                        time.sleep(reply.drip_s)
                    return
                self.wfile.write(reply.body[: reply.cut_at])
                if reply.cut_at is not None:
                    self.wfile.flush()
                    self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            request_queue_size = 256
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass

        self._http = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()

    def stop(self) -> None:
        """Stop serving."""
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


@contextmanager
def serving(reply: Callable[[Request, int], Reply]) -> Iterator[Server]:
    """A server that answers with ``reply(request, number of the request)``."""
    server = Server(reply)
    server.start()
    try:
        yield server
    finally:
        server.stop()
