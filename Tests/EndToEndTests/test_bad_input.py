"""Whatever a client sends: an answer of the 4xx kind, no crash, and a server that goes on."""

import json
import random
import socket

import pytest

from support import links

SEED = 20260801
SETTINGS = {
    "requestType": "EMAIL_SIGNIN", "email": "fuzz@mail.example", "continueUrl": "https://example.com/a?b=c#d", "canHandleCodeInApp": True,
    "iOSBundleId": "com.example.app", "androidPackageName": "com.example.droid", "androidMinimumVersion": "1", "linkDomain": "links.example.com",
    "returnOobLink": False, "targetProjectId": "", "tenantId": "",
}
NASTY = [
    None, True, -1, 0, 1e308, 2**63, -(2**63) - 1, 0.1, "", " ", "\u0000", "a\r\nb", "\U0001F4A9", "\ud83d", "ß@ß.example", "A" * 70_000, [], {}, [[]],
    [None] * 1000, {"a": {"b": {"c": {}}}}, "%00", "../../etc/passwd", "' OR 1=1 --", "{{email}}", "${jndi:x}", "<script>", "\u202e", "\ufeff",
    "x@" + "a." * 200 + "example", "@", "a@b", '"quoted local"@mail.example', "a@[127.0.0.1]", "a@xn--", "a@-x.example", "http://[::1", "https://example.com:x/",
]
METHODS = ["sendOobCode", "signInWithEmailLink", "lookup", "signUp", "delete"]


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory):
    from conftest import _development
    dev = _development(tmp_path_factory.mktemp("fuzzed"))
    yield dev
    dev.postern.kill()


@pytest.fixture(autouse=True)
def still_there(fuzzed):
    """After each test the server must run, answer, and have complained of no defect of its own."""
    yield
    assert fuzzed.postern.is_running, fuzzed.postern.stderr[-4000:]
    assert fuzzed.client.get("/healthz").status == 200
    email = f"after-{random.getrandbits(40):x}@mail.example"
    fuzzed.api.complete(email, links.code(fuzzed.api.make_link(email))).ok()
    assert "request failed" not in fuzzed.postern.output


def allowed(status: int) -> bool:
    """Success, a redirect, a refusal, or the contract's `not implemented`."""
    return status < 500 or status == 501


def test_bodies_with_nasty_values(fuzzed):
    source = random.Random(SEED)
    for number in range(600):
        method = source.choice(METHODS)
        body = dict(SETTINGS) if method == "sendOobCode" else {"email": "fuzz@mail.example", "oobCode": "x" * 54, "password": "x" * 12}
        for _ in range(source.randint(1, 3)):
            name = source.choice([*body, "idToken", "refreshToken", "localId", "oobCode", "extra", "i_os_bundle_id", "", "__proto__", "_", "a_"])
            body[name] = source.choice(NASTY)
        privileged = source.random() < 0.3
        # Lone surrogates have no UTF-8, so they go as escapes.
        text = json.dumps(body, ensure_ascii=True)
        target = f"/v1/projects/demo-project/accounts:{method}" if privileged else f"/v1/accounts:{method}?key=k"
        headers = {"Content-Type": "application/json"} | (fuzzed.api.admin if privileged else {})
        answer = fuzzed.client.request("POST", target, text, headers)
        assert allowed(answer.status), f"{number}: {answer.status} to {method} {text[:300]}"
        if answer.status == 400:
            answer.refusal()


def test_bodies_with_changed_bytes(fuzzed):
    source = random.Random(SEED + 1)
    original = json.dumps(SETTINGS).encode()
    for number in range(500):
        body = bytearray(original)
        for _ in range(source.randint(1, 6)):
            place = source.randrange(len(body))
            match source.randrange(4):
                case 0: body[place] = source.randrange(256)
                case 1: del body[place:place + source.randint(1, 20)]
                case 2: body[place:place] = bytes(source.randrange(256) for _ in range(source.randint(1, 8)))
                case 3: body[place:place] = body[place:place + 40]
        answer = fuzzed.client.request("POST", "/v1/accounts:sendOobCode?key=k", bytes(body), {"Content-Type": "application/json"})
        assert allowed(answer.status), f"{number}: {answer.status} to {bytes(body)!r}"


def test_forms_for_the_token_route(fuzzed):
    source = random.Random(SEED + 2)
    pieces = ["grant_type=refresh_token", "refresh_token=x", "refresh_token=", "%", "%zz", "=", "&&", "grant_type", "+", "refresh_token=%00", "a=b" * 1000, "é"]
    for _ in range(150):
        body = source.choice(["&", ";", ""]).join(source.choices(pieces, k=source.randint(0, 5)))
        answer = fuzzed.client.request("POST", "/v1/token?key=k", body, {"Content-Type": "application/x-www-form-urlencoded"})
        assert answer.status == 400 and answer.code()


def test_targets(fuzzed):
    source = random.Random(SEED + 3)
    paths = [
        "/v1/accounts:sendOobCode", "/v1/projects/demo-project/accounts:lookup", "/identitytoolkit/v3/relyingparty/emailLinkSignin", "/__/auth/action",
        "/__/auth/links", "/.well-known/apple-app-site-association", "/_postern/inbox.json", "/_postern/inbox/1.eml", "/emulator/v1/projects/x/oobCodes", "/v1/token",
    ]
    pieces = ["%", "%2e%2e", "%00", "%ff", "..", "/", "//", "?", "&", "=", ";", "key=", "link=", "http:", "%25", "x" * 3000, "*", "+", "%e2%98%83", "\\"]
    for number in range(500):
        target = source.choice(paths)
        for _ in range(source.randint(1, 4)):
            place = source.randrange(1, len(target) + 1)
            target = target[:place] + source.choice(pieces) + target[place:]
        method = source.choice(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
        answer = fuzzed.client.request(method, target, b"{}" if method in ("POST", "PUT", "PATCH") else None, {"Content-Type": "application/json"})
        assert allowed(answer.status), f"{number}: {answer.status} to {method} {target[:200]}"
        assert answer.status != 303, target


def exchange(postern, request: bytes) -> bytes:
    """Sends raw bytes and gives what comes back until the server closes, or says nothing more for a while."""
    answer = b""
    with socket.create_connection((postern.host, postern.port), timeout=1) as connection:
        try:
            connection.sendall(request)
            while data := connection.recv(65536):
                answer += data
        except OSError:
            pass  # it waits for more, or it closed on us
    return answer


RAW = {
    "nothing": b"", "a line break": b"\r\n\r\n", "no version": b"GET /healthz\r\n\r\n", "another version": b"GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "no Host": b"GET /_postern/inbox.json HTTP/1.1\r\n\r\n",
    "two Hosts": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\n\r\n", "half a head": b"GET /healthz HTTP/1.1\r\nHost: local",
    "a long header": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 200_000 + b"\r\n\r\n", "a long target": b"GET /" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "many headers": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
    "two lengths": b"POST /v1/accounts:lookup?key=k HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 40\r\n\r\n{}GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "length and chunks": b"POST /v1/accounts:lookup?key=k HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a bad chunk": b"POST /v1/accounts:lookup?key=k HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "a chunk without end": b"POST /v1/accounts:lookup?key=k HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}",
    "a negative length": b"POST /v1/accounts:lookup?key=k HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n{}",
    "a huge length": b"POST /v1/accounts:lookup?key=k HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
    "a length and no body": b"POST /v1/accounts:lookup?key=k HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    "NUL in the target": b"GET /health\x00z HTTP/1.1\r\nHost: localhost\r\n\r\n", "high bytes in the target": b"GET /\xff\xfe?key=\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "high bytes in a header": b"POST /v1/accounts:sendOobCode?key=k HTTP/1.1\r\nHost: localhost\r\nX-Firebase-Locale: \xff\xfe\r\nOrigin: \xff\r\nContent-Length: 2\r\n\r\n{}",
    "a folded header": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n", "a bare line feed": b"GET /healthz HTTP/1.1\nHost: localhost\n\n",
    "an unknown verb": b"BREW /v1/accounts:lookup?key=k HTTP/1.1\r\nHost: localhost\r\n\r\n", "CONNECT": b"CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n",
    "an absolute target": b"GET http://evil.test/_postern/inbox.json HTTP/1.1\r\nHost: evil.test\r\n\r\n", "a star": b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a pipeline": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50,
}


@pytest.mark.parametrize("request_bytes", RAW.values(), ids=RAW.keys())
def test_raw_bytes(fuzzed, request_bytes):
    answer = exchange(fuzzed.postern, request_bytes)
    statuses = [int(part[:3]) for part in answer.split(b"HTTP/1.1 ")[1:] if part[:3].isdigit()]
    assert all(allowed(status) or status == 505 for status in statuses), answer[:300]
    assert b"smuggled" not in answer and b"evil.test" not in answer.split(b"\r\n\r\n")[0]


def test_headers(fuzzed):
    source = random.Random(SEED + 4)
    names = ["Authorization", "Content-Type", "Origin", "X-Firebase-Locale", "Accept-Language", "X-Goog-Api-Key", "Host", "If-None-Match", "X-Forwarded-For", "Expect",
             "Access-Control-Request-Headers", "Cookie", "Range", "Accept-Encoding", "Upgrade", "Connection"]
    values = ["", " ", "Bearer", "Bearer ", "bearer  owner", "Bearer owner x", "x" * 5000, "a,b;q=x", "*", "en-US-" * 500, "application/json;", ";", "\"", "W/", "100-continue",
              "\u00ff\u00fe", "gzip", "h2c", "close", "bytes=0-"]
    body = json.dumps(SETTINGS)
    for _ in range(300):
        headers = {"Content-Type": "application/json"} | {source.choice(names): source.choice(values) for _ in range(source.randint(1, 4))}
        try:
            answer = fuzzed.client.request("POST", "/v1/accounts:sendOobCode?key=k", body, headers)
        except (ConnectionError, TimeoutError) as error:
            raise AssertionError(f"no answer to {headers}") from error
        assert allowed(answer.status), f"{answer.status} to {headers}"
        # What came in does not go out as a header of its own.
        assert all("\n" not in value for value in answer.headers.values())
