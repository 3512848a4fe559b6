"""Every error of wire-contract.md §19 that is in scope, and every row of §20, is shown by a fixture or a test."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Tests/RoutesTests/Fixtures"
TABLE = Path(__file__).parent / "data/contract-errors.txt"
# The names of v3 for the calls of v1 (wire-contract.md §0.2).
LEGACY = {
    "getOobConfirmationCode": "sendOobCode", "emailLinkSignin": "signInWithEmailLink", "setAccountInfo": "update",
    "getAccountInfo": "lookup", "signupNewUser": "signUp", "verifyPassword": "signInWithPassword", "deleteAccount": "delete",
}


def call_of(path: str) -> str:
    if path.endswith("/token"):
        return "token"
    if path.endswith("/accounts"):
        return "signUp"
    name = re.search(r"(?:accounts:|relyingparty/)(\w+)$", path)
    return LEGACY.get(name[1], name[1]) if name else path


def shown() -> set[tuple[str, str]]:
    """The code and the call of every refusal in the fixtures."""
    cells = set()
    for file in FIXTURES.rglob("*.http"):
        for exchange in re.split(r"^=====$", file.read_text(), flags=re.MULTILINE):
            request = re.search(r"^(?:GET|POST|PATCH|DELETE) ([^\s?]+)", exchange, re.MULTILINE)
            refusal = re.search(r"^400 !([A-Z_]+)", exchange, re.MULTILINE)
            if request and refusal:
                cells.add((refusal[1], call_of(request[1])))
    return cells


def wanted() -> list[tuple[str, str]]:
    lines = [line for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    return [(code, call) for code, calls in (line.split(": ") for line in lines) for call in calls.split()]


def test_every_error_has_a_fixture():
    assert len(wanted()) > 100
    assert [cell for cell in wanted() if cell not in shown()] == []


# Row of §20, where it is shown, and what stands there.
ROWS = [
    (1, "RoutesTests/Fixtures/codes", "EXPIRED_OOB_CODE"), (2, "ActionCodesTests/OOBCodeTests.swift", "@Test"),
    (2, "EndToEndTests/test_lifecycle.py", "sqlite3"), (3, "RoutesTests/Fixtures/codes", "INVALID_NEW_EMAIL"),
    (4, "EndToEndTests/test_continue_url.py", "UNAUTHORIZED_DOMAIN"), (5, "EndToEndTests/test_landing.py", "HEAD"),
    (6, "RoutesTests/Fixtures/codes/matrix.http", "400 !INVALID_OOB_CODE"), (7, "EndToEndTests/test_sign_in.py", "password"),
    (8, "RoutesTests/Fixtures/codes", "USER_DISABLED"), (9, "AccountsTests/RefreshSessionTests.swift", "authTime"),
    (10, "RoutesTests/Fixtures/codes", "RECOVER_EMAIL"), (11, "RoutesTests/Fixtures/codes", "EMAIL_NOT_FOUND"),
    (12, "EndToEndTests/test_spine.py", "X-Firebase-Locale"), (13, "RoutesTests/Fixtures", "apiKey=example-web-key"),
    (14, "AccountsTests/UpdateAccountTests.swift", "The address stays"),
]


def test_every_row_is_listed():
    assert {row for row, _, _ in ROWS} == set(range(1, 15))


@pytest.mark.parametrize("row,place,text", ROWS)
def test_every_row_is_shown(row, place, text):
    path = ROOT / "Tests" / place
    files = [path] if path.is_file() else list(path.rglob("*.http"))
    assert files and any(text in file.read_text() for file in files), f"§20 row {row} is not shown in {place}"
