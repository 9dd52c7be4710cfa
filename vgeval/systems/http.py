"""What kinds of HTTP servers have in common: how much is read, and which status means what."""

from __future__ import annotations

import json
from typing import Any

from vgeval.systems.conversation import RequestError, ServerRefusedError

LONGEST_BODY = 4_000_000
"""Bytes of a response. No action is that long, and a server that loops would fill the ledger."""

_STATUS_TO_RETRY = (408, 409, 425, 429)
_STATUS_OF_REFUSAL = (401, 403, 404)


def too_long() -> RequestError:
    """The error for a response that does not end."""
    return RequestError(f"a response of more than {LONGEST_BODY:,} bytes", retry=True)


def status_error(status: int, told: str, retry_after: str | None) -> RequestError:
    """The error that an HTTP status stands for. ``told`` is what the server said about it."""
    message = f"HTTP {status}: {' '.join(told.split())[:500]}"
    if status in _STATUS_OF_REFUSAL:
        return ServerRefusedError(message, retry=False)
    retry = status in _STATUS_TO_RETRY or status >= 500
    return RequestError(message, retry=retry, after_s=_seconds(retry_after))


def connection_error(error: BaseException) -> RequestError:
    """The error for a connection that failed. Where none can be made, the server is not there."""
    import httpx

    message = f"{type(error).__name__}: {error}".removesuffix(": ")
    if isinstance(error, httpx.ConnectError | httpx.UnsupportedProtocol):
        return ServerRefusedError(message, retry=True)
    return RequestError(message, retry=True)


def no_completion(body: bytes) -> RequestError:
    """The error for a response that holds no output."""
    return RequestError(
        f"no completion in the response: {body[:200].decode('utf-8', 'replace')!r}", retry=True
    )


def as_text(value: Any) -> str:
    """A JSON value as text that can be written: null is nothing, half a surrogate pair a question mark."""
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value)
    return text.encode("utf-8", "replace").decode("utf-8")


def _seconds(retry_after: str | None) -> float | None:
    try:
        return max(0.0, float(retry_after)) if retry_after is not None else None
    except ValueError:
        return None
