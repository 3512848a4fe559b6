"""Of any number of people who do the same thing at once exactly one succeeds."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from support import links

ROUNDS = 20
# Every reset and sign-in costs a hash, so more at once would only take longer.
AT_ONCE = 4


def at_once(calls) -> list:
    """Lets all calls go in the same moment; gives their answers in order."""
    barrier = threading.Barrier(len(calls))

    def go(call):
        barrier.wait(10)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(30) for future in [pool.submit(go, call) for call in calls]]


def outcome(answer) -> str:
    return "ok" if answer.status == 200 else answer.code()


def works(api, email: str, password: str) -> bool:
    return api.call("signInWithPassword", email=email, password=password, returnSecureToken=True).status == 200


@pytest.fixture
def account(api, address):
    """An account with a password; gives its address and its ID token."""

    def make():
        email = address()
        return email, api.call("signUp", email=email, password="first password", returnSecureToken=True).ok()["idToken"]

    return make


def code_of(api, email: str) -> str:
    answer = api.admin_call("sendOobCode", requestType="PASSWORD_RESET", email=email, returnOobLink=True).ok()
    return links.code(answer["oobLink"])


def test_one_code_sets_one_password(api, account):
    for _ in range(ROUNDS):
        email, _ = account()
        code = code_of(api, email)
        passwords = [f"password {number}" for number in range(AT_ONCE)]
        answers = at_once([lambda word=word: api.call("resetPassword", oobCode=code, newPassword=word) for word in passwords])
        assert sorted(map(outcome, answers)) == ["INVALID_OOB_CODE"] * (AT_ONCE - 1) + ["ok"]
        [winner] = [word for word, answer in zip(passwords, answers) if answer.status == 200]
        assert [word for word in ["first password", *passwords] if works(api, email, word)] == [winner]


def test_the_codes_of_one_address_set_one_password(api, account):
    """The first success voids the others, also one that is on its way."""
    for _ in range(ROUNDS):
        email, _ = account()
        codes = [code_of(api, email) for _ in range(3)]
        answers = at_once([
            lambda code=code, number=number: api.call("resetPassword", oobCode=code, newPassword=f"password {number}")
            for number, code in enumerate(codes)])
        assert sorted(map(outcome, answers)) == ["INVALID_OOB_CODE", "INVALID_OOB_CODE", "ok"]
        [winner] = [number for number, answer in enumerate(answers) if answer.status == 200]
        assert [works(api, email, f"password {number}") for number in range(3)] == [number == winner for number in range(3)]


def test_one_address_goes_to_one_of_two_accounts(api, inbox, account, address):
    for _ in range(ROUNDS):
        wanted = address("wanted")
        accounts = [account() for _ in range(2)]
        for number, (_, token) in enumerate(accounts):
            api.call("sendOobCode", requestType="VERIFY_AND_CHANGE_EMAIL", idToken=token, newEmail=wanted).ok()
            inbox.wait_for(wanted, number + 1)
        codes = [links.code(mail["link"]) for mail in inbox.mails_to(wanted)]
        answers = at_once([lambda code=code: api.call("update", oobCode=code) for code in codes])
        assert sorted(map(outcome, answers)) == ["EMAIL_EXISTS", "ok"]
        assert api.user(wanted)["emailVerified"] is True
        assert len([email for email, _ in accounts if api.user(email)]) == 1, "the other account kept its own address"
        assert len(api.admin_call("query", expression=[{"email": wanted}]).ok()["userInfo"]) == 1


def test_one_address_makes_one_account(api, address):
    for _ in range(ROUNDS):
        email = address()
        answers = at_once([
            lambda number=number: api.call("signUp", email=email, password=f"password {number}", returnSecureToken=True)
            for number in range(AT_ONCE)])
        assert sorted(map(outcome, answers)) == ["EMAIL_EXISTS"] * (AT_ONCE - 1) + ["ok"]
        [winner] = [number for number, answer in enumerate(answers) if answer.status == 200]
        assert works(api, email, f"password {winner}")
        [user] = api.admin_call("query", expression=[{"email": email}]).ok()["userInfo"]
        assert user["localId"] == answers[winner].ok()["localId"]
