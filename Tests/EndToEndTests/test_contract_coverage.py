"""Every cell of the table of errors (wire-contract.md §19) and every row of the list of departures (§20) is shown by a fixture or a test.

`contract-errors.json` holds the table: for every error the calls that the contract names, the fixture that shows it for each call, and why
a call is out of scope. `contract-rows.json` holds the list, and what the transport and the iOS SDK need besides.
"""

import json
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
FIXTURES = TESTS / "RoutesTests/Fixtures"
DATA = Path(__file__).parent / "data"
ERRORS = json.loads((DATA / "contract-errors.json").read_text())
ROWS = json.loads((DATA / "contract-rows.json").read_text())
CALLS = (
    "sendOobCode", "signInWithEmailLink", "resetPassword", "update", "createAuthUri", "lookup", "signUp", "signInWithPassword", "delete",
    "token")
# The names of v3 for the calls of v1 (wire-contract.md §0.2).
LEGACY = {
    "getOobConfirmationCode": "sendOobCode", "emailLinkSignin": "signInWithEmailLink", "setAccountInfo": "update",
    "getAccountInfo": "lookup", "signupNewUser": "signUp", "verifyPassword": "signInWithPassword", "deleteAccount": "delete",
}
ORDINARY = {row["error"] for row in ERRORS}


def call_of(path: str) -> str:
    if path.endswith("/token"):
        return "token"
    if path.endswith("/accounts"):
        return "signUp"
    name = re.search(r"(?:accounts:|relyingparty/)(\w+)$", path)
    return LEGACY.get(name[1], name[1]) if name else path


def error_of(message: str) -> str:
    """The table's name of a message; some codes have a row of their own for one detail."""
    return message if message in ORDINARY else message.split(" : ")[0]


def cells_of(text: str) -> set[tuple[str, str]]:
    """The error and the call of every refusal in a fixture."""
    cells = set()
    for exchange in re.split(r"^=====$", text, flags=re.MULTILINE):
        request = re.search(r"^[A-Z]+ (/[^\s?]*)", exchange, re.MULTILINE)
        refusal = re.search(r"^400 !(.+)$", exchange, re.MULTILINE)
        if request and refusal:
            cells.add((error_of(refusal[1].strip()), call_of(request[1])))
    return cells


SHOWN = {str(file.relative_to(FIXTURES)): cells_of(file.read_text()) for file in FIXTURES.rglob("*.http")}


def out_of_scope(row: dict) -> dict[str, str]:
    return {call: reason for calls, reason in row.get("outOfScope", {}).items() for call in calls.split()}


def test_the_table_is_whole():
    # 45 errors (a row of §19 may name several) and 153 cells, and what stands for tenants here; whoever takes one out must say so here.
    assert len(ORDINARY) == len(ERRORS) == 45 + 1
    assert sum(len(row["contract"].split()) for row in ERRORS) == 153
    assert {call for row in ERRORS for call in row["contract"].split()} == set(CALLS)


@pytest.mark.parametrize("row", ERRORS, ids=lambda row: row["error"][:40])
def test_every_cell_has_a_place(row):
    contract, shown, excused = set(row["contract"].split()), row.get("shown", {}), out_of_scope(row)
    assert contract - set(shown) - set(excused) == set(), "neither shown nor out of scope"
    assert set(shown) & set(excused) == set() and set(excused) <= contract and all(excused.values())
    assert [(call, file) for call, file in shown.items() if (row["error"], call) not in SHOWN.get(file, ())] == []
    # An excuse is out of date when some fixture shows what it says is never answered.
    assert [(call, file) for call in excused for file, cells in SHOWN.items() if (row["error"], call) in cells] == []


def test_every_departure_is_listed():
    numbers = [int(row["row"].split(":")[0]) for row in ROWS if row["row"][0].isdigit() and ":" in row["row"]]
    # §20 numbers fourteen; its last sentence, on the emulator's switch, is the fifteenth.
    assert numbers == list(range(1, 16))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["row"][:40])
def test_every_row_is_shown(row):
    fixtures, tests = row.get("fixtures", {}), row.get("tests", [])
    assert fixtures or tests
    assert [(file, text) for file, text in fixtures.items() if text not in (FIXTURES / file).read_text()] == []
    for file, name in (test.split(" ", 1) for test in tests):
        # A function of that name; what is no name (a line of a test without one) stands there as it is.
        keyword = "def" if file.endswith(".py") else "func"
        pattern = rf"\b{keyword} {name}\(" if name.isidentifier() else re.escape(name)
        assert re.search(pattern, (TESTS / file).read_text()), f"{file} has no {name}"
