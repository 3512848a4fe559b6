"""Many requests at one instant."""

import json
import selectors
import socket
import time

import pytest


def burst(postern, requests: list[bytes], within: float) -> tuple[list[int], float]:
    """Opens a connection for each request, sends all but its last byte, then all last bytes at once; gives statuses and seconds."""
    selector = selectors.DefaultSelector()
    sockets = []
    try:
        for request in requests:
            connection = socket.create_connection((postern.host, postern.port), timeout=10)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.sendall(request[:-1])
            connection.setblocking(False)
            sockets.append(connection)
        received = {connection: b"" for connection in sockets}
        began = time.monotonic()
        for connection, request in zip(sockets, requests):
            connection.send(request[-1:])
            selector.register(connection, selectors.EVENT_READ)
        while selector.get_map() and (left := began + within - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                data = key.fileobj.recv(65536)
                received[key.fileobj] += data
                if not data or is_complete(received[key.fileobj]):
                    selector.unregister(key.fileobj)
        took = time.monotonic() - began
        return [int(answer[9:12] or 0) if answer else 0 for answer in received.values()], took
    finally:
        for connection in sockets:
            connection.close()
        selector.close()


def is_complete(answer: bytes) -> bool:
    head, separator, body = answer.partition(b"\r\n\r\n")
    if not separator:
        return False
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            return len(body) >= int(line.split(b":")[1])
    return True


def send_request(number: int, port: int) -> bytes:
    body = json.dumps({"requestType": "EMAIL_SIGNIN", "email": f"burst-{number}@mail.example", "continueUrl": "https://example.com/"})
    return (
        f"POST /v1/accounts:sendOobCode?key=any-key HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}").encode()


@pytest.mark.parametrize("count", [128, 256, 300])
def test_so_many_mails_are_asked_for_at_one_instant(start_dev, count):
    dev = start_dev()
    for round in range(3):
        statuses, took = burst(
            dev.postern, [send_request(round * 1000 + number, dev.postern.port) for number in range(count)], within=10)
        assert statuses == [200] * count
        assert took < 2
    assert dev.client.get("/healthz").status == 200


def test_so_many_files_are_asked_for_at_one_instant(dev):
    request = f"GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: 127.0.0.1:{dev.postern.port}\r\n\r\n".encode()
    for _ in range(3):
        statuses, took = burst(dev.postern, [request] * 256, within=10)
        assert statuses == [200] * 256 and took < 1


def test_connections_that_say_nothing_keep_nobody_out(dev):
    idle = [socket.create_connection((dev.postern.host, dev.postern.port), timeout=10) for _ in range(300)]
    try:
        for connection in idle[:150]:
            connection.sendall(b"POST /v1/accounts:sendOobCode?key=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
        for _ in range(20):
            assert dev.client.get("/healthz").status == 200
    finally:
        for connection in idle:
            connection.close()
