"""Where links may lead: the shared table of URLs, against a project with authorizedDomains of its own."""

import json
from pathlib import Path

import pytest

from support import links

CASES = json.loads((Path(__file__).parent / "data" / "continue-url-cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["url"][:48].encode("unicode_escape").decode() or "empty")
def test_continue_url(serve, address, case):
    answer = serve.api.send_link(address(), case["url"])
    if case["verdict"] == "accept":
        assert answer.ok(), case["why"]
    elif case["url"] == "":
        # Absent, then, and a link needs one.
        assert answer.code() == "MISSING_CONTINUE_URI"
    else:
        assert answer.code() in ("INVALID_CONTINUE_URI", "UNAUTHORIZED_DOMAIN"), case["why"]


@pytest.mark.parametrize("case", [case for case in CASES if case["verdict"] == "accept"], ids=lambda case: case["url"][:48])
def test_it_comes_through_to_the_byte(serve, address, case):
    link = serve.api.make_link(address(), case["url"])
    assert links.parse(link)["continueUrl"] == case["url"]


def test_in_dev_every_host_passes_that_keeps_the_form(api, address):
    for case in CASES:
        answer = api.send_link(address(), case["url"])
        if case["verdict"] == "accept":
            answer.ok()
        elif case["url"].startswith(("https://www.", "https://notexample", "https://xn--")):
            answer.ok()
    assert api.send_link(address(), "https://example.com@evil.test/").code() == "INVALID_CONTINUE_URI"
