"""Every refusal of wire-contract.md §19 that these operations have, and the envelopes of §2."""

import base64
import hashlib
import hmac
import http.client
import json
import uuid
from pathlib import Path

import pytest

from support import links

CASES = json.loads((Path(__file__).parent / "data" / "errors.json").read_text())
SEND = "/v1/accounts:sendOobCode"
KEYED = SEND + "?key=example-key"


def _segment(value) -> str:
    return base64.urlsafe_b64encode(value if isinstance(value, bytes) else json.dumps(value).encode()).rstrip(b"=").decode()


@pytest.fixture(scope="module")
def values(serve) -> dict:
    """What `$name` stands for in the table."""
    api, plain = serve.api, serve.of("plain")
    owner = f"owner-{uuid.uuid4().hex[:8]}@mail.example"
    used = links.code(api.make_link(owner))
    signed_in = api.complete(owner, used).ok()
    deleted = api.call("signUp").ok()
    foreign = plain.call("signUp").ok()
    api.call("delete", idToken=deleted["idToken"]).ok()
    header, payload, signature = signed_in["idToken"].split(".")
    key = serve.client.get("/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com").ok()
    [(kid, certificate)] = key.items()
    confused = f"{_segment({'alg': 'HS256', 'typ': 'JWT', 'kid': kid})}.{payload}"
    confused += "." + _segment(hmac.digest(certificate.encode(), confused.encode(), hashlib.sha256))
    return {
        "long": "x" * 330, "owner": owner, "ownerId": signed_in["localId"], "usedCode": used,
        "liveCode": links.code(api.make_link(f"live-{uuid.uuid4().hex[:8]}@mail.example")), "idToken": signed_in["idToken"],
        "refreshToken": signed_in["refreshToken"], "deletedIdToken": deleted["idToken"], "deletedRefreshToken": deleted["refreshToken"],
        "foreignIdToken": foreign["idToken"], "foreignRefreshToken": foreign["refreshToken"],
        "forgedIdToken": f"{header}.{payload}.{signature[:-8]}AAAAAAAA",
        "unsignedIdToken": f"{_segment({'alg': 'none', 'typ': 'JWT'})}.{payload}.", "confusedIdToken": confused,
    }


def filled(value, values):
    """The value with every `$name` replaced."""
    if isinstance(value, dict):
        return {name: filled(member, values) for name, member in value.items()}
    if isinstance(value, list):
        return [filled(member, values) for member in value]
    if isinstance(value, str) and value.startswith("$"):
        name, at, rest = value[1:].partition("@")
        return values[name] + at + rest
    return value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_refusal(serve, values, address, case):
    api = serve.of(case.get("project", "example"))
    known = values | {"address": address()}
    if "token" in case:
        answer = api.client.post(f"/v1/token?key={api.key}", filled(case["token"], known))
    else:
        call = api.admin_call if case.get("privileged") else api.call
        answer = call(case["method"], **filled(case["body"], known))
    if case.get("status"):
        error = answer.refusal(case["status"])
        assert (error["status"], error["errors"][0]["reason"]) == ("NOT_IMPLEMENTED", "unimplemented")
    else:
        code = answer.code()
        assert code in case.get("codes", [case.get("code", case.get("message", "").split(" : ")[0])])
        error = answer.json()["error"]
    assert error["message"] == case.get("message", error["message"])


def test_a_disabled_account(serve, address):
    email = address()
    serve.api.admin_call("signUp", email=email, disabled=True).ok()
    code = links.code(serve.api.make_link(email))
    assert serve.api.complete(email, code).code() == "USER_DISABLED"
    assert serve.api.complete(email, code).code() == "INVALID_OOB_CODE", "the link is burnt"


def test_an_unknown_account_is_an_empty_answer(serve):
    answer = serve.api.admin_call("lookup", localId=["nobody"], email=["nobody@mail.example"]).ok()
    assert answer == {"kind": "identitytoolkit#GetAccountInfoResponse"}


def test_a_member_in_two_spellings_is_read_the_same_way_every_time(serve):
    body = '{"requestType": 0, "request_type": 2, "email": "a@mail.example"}'
    answers = {serve.client.request("POST", KEYED, body, {"Content-Type": "application/json"}).body for _ in range(100)}
    assert len(answers) == 1


# Envelopes


def test_no_key(serve):
    for target, headers in [(SEND, {}), (SEND + "?key=", {}), (SEND, {"X-Goog-Api-Key": ""}), (SEND, {"Authorization": "Basic eDp5"}), ("/v1/token", serve.api.admin)]:
        error = serve.client.post(target, {}, headers).refusal(403)
        assert error["message"] == "The request is missing a valid API key."
        assert error["errors"] == [{"message": error["message"], "reason": "forbidden", "domain": "global"}]
        assert error["status"] == "PERMISSION_DENIED"


def test_an_unknown_key(serve):
    for method in SEND, "/v1/accounts:lookup", "/v1/token":
        error = serve.client.post(method + "?key=nobodys", {}).refusal(400)
        assert (error["message"], error["status"]) == ("API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT")
        assert error["errors"][0]["reason"] == "badRequest"


@pytest.mark.parametrize("token", ["owner", "x", "admin-token-of-the-tests-012345678", "admin-token-of-the-tests-01234567890", "Admin-token-of-the-tests-0123456789"])
@pytest.mark.parametrize("target", [SEND, KEYED, "/v1/projects/example/accounts:sendOobCode"])
def test_a_bad_bearer_token(serve, token, target):
    error = serve.client.post(target, {}, {"Authorization": f"Bearer {token}"}).refusal(401)
    assert error["status"] == "UNAUTHENTICATED"
    assert error["errors"] == [{
        "message": "Invalid Credentials", "domain": "global", "reason": "authError", "location": "Authorization", "locationType": "header"}]
    assert token not in error["message"].split()


def test_another_kind_of_authorization_is_ignored(serve, address):
    body = {"requestType": "EMAIL_SIGNIN", "email": address(), "continueUrl": "https://example.com/"}
    serve.client.post(KEYED, body, {"Authorization": "Basic eDp5"}).ok()


def test_a_good_bearer_token_wins_over_a_key(serve, address):
    body = {"requestType": "EMAIL_SIGNIN", "email": address(), "continueUrl": "https://example.com/", "returnOobLink": True, "targetProjectId": "example"}
    for scheme in "Bearer", "bearer", "BEARER":
        serve.client.post(SEND + "?key=plain-key", body, {"Authorization": f"{scheme} {serve.api.admin_token}"}).ok()


@pytest.mark.parametrize("body", ['{"email": ', "x", "{'email': 1}", '{"a": 1} x', '"' + "\\", "{" * 5000, "[" * 100_000, '{"a": NaN}', "\ufeff x"])
def test_not_json(serve, body):
    error = serve.client.request("POST", KEYED, body, {"Content-Type": "application/json"}).refusal()
    assert error["message"].startswith("Invalid JSON payload received. ")
    assert error["errors"] == [{"message": error["message"], "reason": "parseError", "domain": "global"}]
    assert error["status"] == "INVALID_ARGUMENT"


def test_not_utf_8(serve):
    body = b'{"requestType": "EMAIL_SIGNIN", "email": "a\xff@example.com", "continueUrl": "https://example.com/"}'
    error = serve.client.request("POST", KEYED, body, {"Content-Type": "application/json"}).refusal()
    assert error["message"].split()[0] in ("Invalid", "INVALID_EMAIL")


@pytest.mark.parametrize("member", [
    {"email": True}, {"email": {}}, {"email": ["x"]}, {"continueUrl": False}, {"canHandleCodeInApp": "true"}, {"canHandleCodeInApp": 1},
    {"returnOobLink": "false"}, {"requestType": {}}, {"requestType": True}, {"iOSBundleId": []}, {"androidInstallApp": "yes"},
    {"targetProjectId": {}}, {"return_oob_link": []},
], ids=json.dumps)
def test_a_member_of_the_wrong_type(serve, member):
    error = serve.client.post(KEYED, {"requestType": "EMAIL_SIGNIN", "email": "a@mail.example", "continueUrl": "https://example.com/"} | member).refusal()
    assert error["message"].startswith("Invalid JSON payload received. /"), error
    assert error["status"] == "INVALID_ARGUMENT" and error["errors"][0]["reason"] == "invalid"


@pytest.mark.parametrize("body", ["[]", "1", '"x"', "null", "true"])
def test_a_body_that_is_no_object(serve, body):
    error = serve.client.request("POST", KEYED, body, {"Content-Type": "application/json"}).refusal()
    assert error["message"].split(" ")[0] in ("Invalid", "MISSING_REQ_TYPE")


def test_an_unknown_type(serve):
    for value in "EMAIL_SIGN_IN", "email_signin", "", 99, -1:
        error = serve.client.post(KEYED, {"requestType": value, "email": "a@mail.example"}).refusal()
        assert error["message"].split(" ")[0] in ("Invalid", "INVALID_REQ_TYPE", "MISSING_REQ_TYPE")


@pytest.mark.parametrize("type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx", "x"])
def test_another_content_type(serve, type):
    error = serve.client.request("POST", KEYED, "{}", {"Content-Type": type}).refusal()
    assert error["message"].startswith("Invalid content-type:")
    assert error["errors"] == [{"message": error["message"], "reason": "unknown"}]
    assert "status" not in error


@pytest.mark.parametrize("type", ["application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON", None])
def test_content_types_that_pass(serve, address, type):
    body = json.dumps({"requestType": "EMAIL_SIGNIN", "email": address(), "continueUrl": "https://example.com/"})
    serve.client.request("POST", KEYED, body, {"Content-Type": type}).ok()


@pytest.mark.parametrize("body", [None, ""])
def test_an_empty_body_is_an_empty_object(serve, body):
    assert serve.client.request("POST", KEYED, body, {"Content-Type": "application/json", "Content-Length": "0" if body is None else None}).code() == "MISSING_REQ_TYPE"


@pytest.mark.parametrize("path", [
    "/v1/accounts:nothing", "/v1/accounts", "/v1", "/v2/accounts:sendOobCode", "/v1/projects/example/accounts:signInWithEmailLink",
    "/v1/projects/example/accounts:nothing", "/v1//accounts:sendOobCode", "/v1/accounts:sendOobCode/", "/V1/accounts:sendOobCode",
    "/identitytoolkit/v3/relyingparty/publicKeys", "/identitytoolkit/v3/relyingparty/nothing", "/robots.txt", "/.well-known/nothing",
    "/.well-known/apple-app-site-association.json", "/evil.test/v1/accounts:sendOobCode", "/..%2f..%2fetc%2fpasswd", "/../etc/passwd",
])
def test_no_route(serve, path):
    for answer in serve.client.post(path + "?key=example-key", {}), serve.client.get(path):
        error = answer.refusal(404)
        assert error["message"] == "Not Found" and error["status"] == "NOT_FOUND"
        assert error["errors"][0]["reason"] == "notFound"


@pytest.mark.parametrize("method,path,allowed", [
    ("GET", KEYED, {"POST"}), ("PUT", KEYED, {"POST"}), ("DELETE", KEYED, {"POST"}), ("PATCH", "/v1/token?key=example-key", {"POST"}),
    ("GET", "/v1/projects/example/accounts:lookup", {"POST"}), ("POST", "/.well-known/jwks.json", {"GET", "HEAD"}),
    ("POST", "/healthz", {"GET", "HEAD"}), ("DELETE", "/.well-known/assetlinks.json", {"GET", "HEAD"}), ("POST", "/v1/projects", {"GET", "HEAD"}),
])
def test_a_wrong_verb(serve, method, path, allowed):
    answer = serve.client.request(method, path, "{}", {"Content-Type": "application/json", "Host": "auth.example.com"})
    assert answer.status == 405
    assert allowed <= {verb.strip() for verb in answer.headers["Allow"].split(",")}
    assert answer.json().keys() == {"message"}
    assert answer.json()["message"].startswith(f"Method {method} not allowed for ")
    assert "example-key" not in answer.text


def test_the_legacy_names_take_any_verb(serve):
    for method in "POST", "PUT", "PATCH", "DELETE":
        answer = serve.client.request(
            method, "/identitytoolkit/v3/relyingparty/getOobConfirmationCode?key=example-key", "{}", {"Content-Type": "application/json"})
        assert answer.code() == "MISSING_REQ_TYPE"
    answer = serve.client.get("/identitytoolkit/v3/relyingparty/getProjectConfig?key=example-key").ok()
    assert answer["projectId"].isdigit() and "example.com" in answer["authorizedDomains"]
    assert serve.client.get("/v1/projects?key=example-key").ok() == answer


def test_bodies_above_1_mib(serve, address):
    body = json.dumps({"requestType": "EMAIL_SIGNIN", "email": address(), "continueUrl": "https://example.com/"}).encode()
    full = body + b" " * (1 << 20)
    serve.client.request("POST", KEYED, full[:1 << 20], {"Content-Type": "application/json"}).ok()
    answer = serve.client.request("POST", KEYED, full[:(1 << 20) + 1], {"Content-Type": "application/json"})
    assert answer.status == 413
    chunked = b"".join(b"10000\r\n" + full[start:start + 0x10000].ljust(0x10000) + b"\r\n" for start in range(0, 2 << 20, 0x10000)) + b"0\r\n\r\n"
    try:
        status = _chunked(serve, chunked)
    except (BrokenPipeError, ConnectionResetError):
        pass  # told by closing, since the rest is still on its way
    else:
        assert status == 413
    assert serve.client.get("/healthz").status == 200


def _chunked(serve, body: bytes) -> int:
    connection = http.client.HTTPConnection(serve.client.host, serve.client.port, timeout=10)
    try:
        connection.putrequest("POST", KEYED)
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Transfer-Encoding", "chunked")
        connection.endheaders()
        connection.send(body)
        return connection.getresponse().status
    finally:
        connection.close()


# CORS


def test_a_preflight(serve):
    wanted = "content-type,x-client-version,x-firebase-client,x-firebase-gmpid,x-firebase-locale"
    for path in KEYED, "/v1/accounts:signInWithEmailLink?key=x", "/securetoken.googleapis.com/v1/token?key=x":
        answer = serve.client.request("OPTIONS", path, headers={
            "Origin": "https://app.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": wanted,
            "Access-Control-Request-Private-Network": "true"})
        assert (answer.status, answer.body) == (204, b"")
        assert answer.headers["Access-Control-Allow-Origin"] == "https://app.example"
        assert answer.headers["Access-Control-Allow-Headers"] == wanted
        assert answer.headers["Access-Control-Allow-Methods"] == "GET,HEAD,PUT,PATCH,POST,DELETE"
        assert answer.headers["Access-Control-Allow-Private-Network"] == "true"
        assert {"Origin", "Access-Control-Request-Headers"} <= {name.strip() for name in answer.headers["Vary"].split(",")}
        assert answer.headers["Access-Control-Allow-Credentials"] is None


def test_answers_and_refusals_are_readable_by_every_origin(serve, address):
    for body in {"requestType": "EMAIL_SIGNIN", "email": address(), "continueUrl": "https://example.com/"}, {}:
        answer = serve.client.post(KEYED, body, {"Origin": "https://app.example"})
        assert answer.headers["Access-Control-Allow-Origin"] == "https://app.example"
        assert "Origin" in answer.headers["Vary"]


def test_pages_are_not(serve):
    answer = serve.client.get("/__/auth/action?x=y", {"Host": "auth.example.com", "Origin": "https://app.example"})
    assert answer.headers["Access-Control-Allow-Origin"] is None
