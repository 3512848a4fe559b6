"""What stands around Postern on the internet, on loopback: a proxy that ends TLS, and an app's own web site."""

import asyncio
import base64
import hashlib
import html
import ssl
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import trustme
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def tls_context(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


def public_key_digest(certificate: trustme.LeafCert) -> str:
    """What a browser is told to trust this certificate by: the base64 SHA-256 of its public key information."""
    key = x509.load_pem_x509_certificate(certificate.cert_chain_pems[0].bytes()).public_key()
    return base64.b64encode(hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()).decode()


class TLSProxy:
    """Ends TLS and passes every byte on to `port` on loopback, the Host header too."""

    def __init__(self, context: ssl.SSLContext, port: int):
        self.context, self.backend = context, port
        self.port = 0

    def __enter__(self) -> "TLSProxy":
        started = threading.Event()
        self._thread = threading.Thread(target=asyncio.run, args=(self._serve(started),), daemon=True)
        self._thread.start()
        assert started.wait(10) and self.port, "the proxy did not start"
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(10)

    async def _serve(self, started: threading.Event):
        self._loop, self._stopped, self._open = asyncio.get_running_loop(), asyncio.Event(), set()
        # A browser that closes a connection in the middle of TLS is not worth a line.
        self._loop.set_exception_handler(lambda loop, context: None)
        server = await asyncio.start_server(self._pass, "127.0.0.1", 0, ssl=self.context)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        await self._stopped.wait()
        server.close()
        for writer in list(self._open):
            writer.transport.abort()
        await asyncio.sleep(0.05)

    async def _pass(self, reader, writer):
        try:
            onward_reader, onward_writer = await asyncio.open_connection("127.0.0.1", self.backend)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, onward_writer}
        try:
            await asyncio.gather(self._copy(reader, onward_writer), self._copy(onward_reader, writer))
        finally:
            self._open -= {writer, onward_writer}

    @staticmethod
    async def _copy(reader, writer):
        try:
            while piece := await reader.read(65536):
                writer.write(piece)
                await writer.drain()
        except (OSError, ssl.SSLError):
            pass
        finally:
            writer.close()


@dataclass(frozen=True)
class Visit:
    path: str
    headers: dict[str, str]


@dataclass
class WebSite:
    """An app's web site: every path is a page that shows where the browser arrived; `visits` tells what it sent."""

    context: ssl.SSLContext | None = None
    visits: list[Visit] = field(default_factory=list)

    def __enter__(self) -> "WebSite":
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 30

            def do_GET(self):
                site.visits.append(Visit(self.path, {name.lower(): value for name, value in self.headers.items()}))
                body = (
                    '<!doctype html><html lang="en"><title>The app</title><link rel="icon" href="data:,"><h1>Back in the app</h1><p>'
                    + html.escape(self.path)).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """A browser that closes a connection in the middle is not worth a line."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port
        if self.context:
            # Each connection's own thread shakes hands, so that an idle one holds up nobody.
            self._server.socket = self.context.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join(10)
        self._server.server_close()
