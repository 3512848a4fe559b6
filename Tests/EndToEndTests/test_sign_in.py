"""What may and may not come of a code: one winner, five misses, takeover by the owner, linking."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from support import links
from support.waiting import next_second


def at_once(count: int, call) -> list:
    """Calls `call` on so many threads at one moment."""
    barrier = Barrier(count)

    def work(number):
        barrier.wait(10)
        return call(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def test_one_winner(api, address):
    email = address()
    code = links.code(api.make_link(email))
    answers = at_once(50, lambda _: api.complete(email, code))
    winners = [answer for answer in answers if answer.status == 200]
    assert len(winners) == 1
    assert {answer.code() for answer in answers if answer.status != 200} == {"INVALID_OOB_CODE"}
    assert api.user(email)["localId"] == winners[0].json()["localId"]


def test_one_winner_of_two_codes_and_one_account(api, address):
    email = address()
    codes = [links.code(api.make_link(email)) for _ in range(4)]
    answers = at_once(16, lambda number: api.complete(email, codes[number % 4]))
    # The first success voids the others.
    assert sorted(answer.status for answer in answers) == [200] + [400] * 15


def test_a_wrong_address_is_told_and_spends_nothing(api, address):
    email = address()
    code = links.code(api.make_link(email))
    for _ in range(4):
        refusal = api.complete(address("wrong"), code)
        assert refusal.code() == "INVALID_EMAIL"
        assert refusal.json()["error"]["message"] == "INVALID_EMAIL : The email provided does not match the sign-in email address."
    assert api.complete(email, code).ok()["email"] == email


def test_the_fifth_wrong_address_kills_the_code(api, address):
    email = address()
    code = links.code(api.make_link(email))
    for wrong in [address("wrong"), "not an address", address("wrong"), "\u0000", address("wrong")]:
        assert api.complete(wrong, code).code() == "INVALID_EMAIL"
    assert api.complete(email, code).code() == "INVALID_OOB_CODE"
    assert api.user(email) is None


def test_wrong_addresses_at_once_are_all_counted(api, address):
    email = address()
    code = links.code(api.make_link(email))
    answers = at_once(20, lambda number: api.complete(f"wrong-{number}@mail.example", code))
    assert sorted(answer.code() for answer in answers) == ["INVALID_EMAIL"] * 5 + ["INVALID_OOB_CODE"] * 15
    assert api.complete(email, code).code() == "INVALID_OOB_CODE"


def test_at_most_five_links_are_alive_and_the_first_success_ends_the_rest(dev, api, address):
    email = address()
    made = [api.make_link(email) for _ in range(6)]
    assert dev.client.open(made[0]).status == 410
    assert api.complete(email, links.code(made[0])).code() == "INVALID_OOB_CODE"
    assert api.complete(email, links.code(made[2])).ok()["isNewUser"] is True
    for link in made[1], made[3], made[4], made[5]:
        assert dev.client.open(link).status == 410
        assert api.complete(email, links.code(link)).code() == "INVALID_OOB_CODE"
    assert api.complete(email, links.code(api.make_link(email))).ok()["isNewUser"] is False


@pytest.mark.parametrize("typed", [str.upper, lambda email: f"  {email}\t", str.title], ids=["upper case", "blanks", "title case"])
def test_the_same_address_in_another_spelling(api, address, typed):
    email = address()
    code = links.code(api.make_link(email))
    assert api.complete(typed(email), code).ok()["email"] == email


@pytest.mark.parametrize("spelling", ["first.last@mail.example", "firstlast+tag@mail.example", "ﬁrstlast@mail.example"])
def test_dots_tags_and_look_alikes_are_other_addresses(api, spelling):
    code = links.code(api.make_link("firstlast@mail.example"))
    assert api.complete(spelling, code).code() == "INVALID_EMAIL"


def test_a_code_belongs_to_one_project(dev, api, address):
    email = address()
    other = dev.of("another-project")
    code = links.code(other.make_link(email))
    assert api.complete(email, code).code() == "INVALID_OOB_CODE"
    assert other.complete(email, code).ok()["isNewUser"] is True
    assert api.user(email) is None


def test_the_owner_takes_over(api, address):
    email = address()
    squatter = api.call("signUp", email=email, password="sesame-of-the-squatter").ok()
    assert api.user(email)["passwordHash"] == "UkVEQUNURUQ="
    assert api.user(email)["emailVerified"] is False
    next_second()

    owner = api.complete(email, links.code(api.make_link(email))).ok()
    assert (owner["localId"], owner["isNewUser"]) == (squatter["localId"], False)
    user = api.user(email)
    assert user["emailVerified"] is True
    assert "passwordHash" not in user and "passwordUpdatedAt" not in user
    assert api.refresh(squatter["refreshToken"]).code() in ("TOKEN_EXPIRED", "INVALID_REFRESH_TOKEN")
    assert api.call("lookup", idToken=squatter["idToken"]).code() == "TOKEN_EXPIRED"
    assert api.call("delete", idToken=squatter["idToken"]).code() == "TOKEN_EXPIRED"
    # The squatter's token cannot move the account to another address either.
    moved = address("moved")
    code = links.code(api.make_link(moved))
    assert api.complete(moved, code, idToken=squatter["idToken"]).code() == "TOKEN_EXPIRED"
    assert api.refresh(owner["refreshToken"]).ok()["user_id"] == owner["localId"]


def test_a_verified_account_keeps_its_password_and_sessions(api, address):
    email = address()
    api.admin_call("signUp", email=email, password="a-good-password", emailVerified=True).ok()
    first = api.complete(email, links.code(api.make_link(email))).ok()
    next_second()
    second = api.complete(email, links.code(api.make_link(email))).ok()
    assert first["localId"] == second["localId"] and second["isNewUser"] is False
    assert "passwordHash" in api.user(email)
    assert api.refresh(first["refreshToken"]).ok()
    assert api.call("lookup", idToken=first["idToken"]).ok()["users"]


def test_an_anonymous_account_is_linked(api, address):
    email = address()
    anonymous = api.call("signUp", returnSecureToken=True).ok()
    assert anonymous["kind"] == "identitytoolkit#SignupNewUserResponse" and "email" not in anonymous
    code = links.code(api.make_link(email))
    linked = api.complete(email, code, idToken=anonymous["idToken"]).ok()
    assert (linked["localId"], linked["email"], linked["isNewUser"]) == (anonymous["localId"], email, False)
    assert api.user(email)["localId"] == anonymous["localId"]
    # Another account cannot be linked to the same address; that burns the link.
    other = api.call("signUp").ok()
    code = links.code(api.make_link(email))
    assert api.complete(email, code, idToken=other["idToken"]).code() == "EMAIL_EXISTS"
    assert api.complete(email, code).code() == "INVALID_OOB_CODE"


def test_known_and_unknown_addresses_look_alike(api, address):
    known, unknown = address("twin"), address("twin")
    api.complete(known, links.code(api.make_link(known))).ok()
    answers = [api.send_link(email) for email in (known, unknown)]
    shapes = [
        (answer.status, sorted(answer.headers.keys()), answer.text.replace(email, "")) for answer, email in zip(answers, (known, unknown))]
    assert shapes[0] == shapes[1]


def test_where_strangers_may_not_sign_up(serve, address):
    closed = serve.of("closed")
    stranger, known = address("stranger"), address("known")
    closed.admin_call("signUp", email=known).ok()
    # The answers are alike, and only the known address gets a mail.
    answers = [closed.send_link(email) for email in (stranger, known)]
    assert [answer.ok()["email"] for answer in answers] == [stranger, known]
    code = links.code(serve.mail.wait_for(known).link)
    assert closed.complete(known, code).ok()["isNewUser"] is False
    assert serve.mail.mails_to(stranger) == []
    assert closed.complete(stranger, links.code(closed.make_link(stranger))).code() == "ADMIN_ONLY_OPERATION"
