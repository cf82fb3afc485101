"""An OpenAI-compatible server in front of any backend: the reference worker or a real model."""

from harness.gateway.backend import Backend, ListingBackend, StreamingBackend
from harness.gateway.server import Gateway
from harness.gateway.wire import GatewayError

__all__ = ["Backend", "Gateway", "GatewayError", "ListingBackend", "StreamingBackend"]
