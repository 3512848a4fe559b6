"""An HTTP client that sends targets and headers exactly as they are given, and the API on top of it."""

import http.client
import json
from dataclasses import dataclass
from email.message import Message
from urllib.parse import quote, urlsplit

IDENTITY = "/identitytoolkit.googleapis.com"
LEGACY = "/identitytoolkit/v3/relyingparty"


@dataclass(frozen=True)
class Response:
    status: int
    headers: Message
    body: bytes

    def json(self):
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()

    def ok(self):
        """The JSON of an answer that must be a success."""
        assert self.status == 200, f"{self.status} {self.body[:400]!r}"
        assert self.headers["Content-Type"] == "application/json", self.headers["Content-Type"]
        return self.json()

    def refusal(self, status: int = 400) -> dict:
        """The `error` object of an answer that must be a refusal in the contract's envelope (wire-contract.md §2)."""
        assert self.status == status, f"{self.status} {self.body[:400]!r}"
        assert self.headers["Content-Type"] == "application/json; charset=utf-8"
        assert list(self.json()) == ["error"]
        error = self.json()["error"]
        assert error["code"] == status
        assert set(error) <= {"code", "message", "errors", "status"}, error
        assert len(error["errors"]) == 1 and all(isinstance(value, str) for value in error["errors"][0].values())
        # Indented by two, as Google's are.
        assert self.text.rstrip("\n") == json.dumps(self.json(), indent=2, ensure_ascii=False)
        return error

    def code(self, status: int = 400) -> str:
        """The code of a business refusal: what stands before ` : `."""
        error = self.refusal(status)
        message = error["message"]
        assert error["errors"] == [{"message": message, "reason": "invalid", "domain": "global"}], error
        assert "status" not in error
        return message.split(" : ")[0]


class Client:
    """Speaks to one server; every request has a connection of its own."""

    def __init__(self, url: str):
        self.url = url
        self.host, self.port = urlsplit(url).hostname, urlsplit(url).port

    def request(self, method: str, target: str, body: bytes | str | None = None, headers=None, within: float = 10.0) -> Response:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=within)
        headers = {"Host": f"{self.host}:{self.port}"} | dict(headers or {})
        body = body.encode() if isinstance(body, str) else body
        try:
            connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
            for name, value in headers.items():
                if value is not None:
                    connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            return Response(response.status, response.headers, response.read())
        finally:
            connection.close()

    def get(self, target: str, headers=None) -> Response:
        return self.request("GET", target, headers=headers)

    def post(self, target: str, body: dict | None = None, headers=None, within: float = 10.0) -> Response:
        headers = {"Content-Type": "application/json"} | (headers or {})
        return self.request("POST", target, json.dumps({} if body is None else body), headers, within)

    def open(self, link: str, method: str = "GET", headers=None) -> Response:
        """Opens a link as a browser would whose DNS leads every name to this server."""
        parts = urlsplit(link)
        target = parts.path + ("?" + parts.query if parts.query else "")
        return self.request(method, target, headers={"Host": parts.netloc} | (headers or {}))


class API:
    """The Firebase-compatible calls, as one project's app or, with a token, as its backend."""

    def __init__(self, client: Client, key: str, project: str, admin_token: str):
        self.client, self.key, self.project, self.admin_token = client, key, project, admin_token

    @property
    def admin(self) -> dict:
        return {"Authorization": f"Bearer {self.admin_token}"}

    def call(self, method: str, **body) -> Response:
        """An app's call: `accounts:<method>` with the key."""
        return self.client.post(f"/v1/accounts:{method}?key={quote(self.key)}", body)

    def admin_call(self, method: str, **body) -> Response:
        """A backend's call; `signUp` has no name there."""
        name = "accounts" if method == "signUp" else f"accounts:{method}"
        return self.client.post(f"/v1/projects/{self.project}/{name}", body, self.admin)

    def send_link(self, email: str, continue_url: str = "https://example.com/finish", **settings) -> Response:
        return self.call("sendOobCode", requestType="EMAIL_SIGNIN", email=email, continueUrl=continue_url, **settings)

    def make_link(self, email: str, continue_url: str = "https://example.com/finish", **settings) -> str:
        """The link itself, which only a backend may ask for; no mail is sent."""
        answer = self.admin_call(
            "sendOobCode", requestType="EMAIL_SIGNIN", email=email, continueUrl=continue_url, returnOobLink=True, **settings)
        return answer.ok()["oobLink"]

    def complete(self, email: str, code: str, **more) -> Response:
        return self.call("signInWithEmailLink", email=email, oobCode=code, **more)

    def refresh(self, token: str) -> Response:
        return self.client.post(f"/v1/token?key={quote(self.key)}", {"grantType": "refresh_token", "refreshToken": token})

    def user(self, email: str) -> dict | None:
        """An account as its backend sees it."""
        users = self.admin_call("lookup", email=[email]).ok().get("users", [])
        return users[0] if users else None

    def of(self, project: str, key: str) -> "API":
        return API(self.client, key, project, self.admin_token)
