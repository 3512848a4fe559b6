"""Mailed links in a real browser: what people see, press and type, with script and without, and what has happened then."""

import json
import time
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from selenium.webdriver.common.keys import Keys

from support import configuration, links
from support.browser import DESKTOP, NARROW, PHONE
from support.postern import ROOT
from support.waiting import wait_until

APP = {"canHandleCodeInApp": True, "iOSBundleId": "com.example.app", "androidPackageName": "com.example.app"}
OLD, NEW = "the old password", "a new and better password"
CONTINUE = "https://example.com/finish?from=mail"
TEXTS = json.loads((ROOT / "Hosting/strings/en.json").read_text())

BUTTON = "form button[type=submit]"
PASSWORDS = "input[autocomplete=new-password]"

with_and_without_script = pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])


def heading(page: str) -> str:
    return TEXTS[page + "Heading"]


class Account:
    """An account with a password, and the links that are mailed for it."""

    def __init__(self, serve, address):
        self.serve, self.address = serve, address
        self.email, self.new_email = address(), address("new")
        self.id_token = serve.api.call("signUp", email=self.email, password=OLD).ok()["idToken"]

    def mailed(self, request_type: str, to: str | None = None, **fields) -> str:
        to = to or self.email
        self.serve.api.call("sendOobCode", requestType=request_type, **fields).ok()
        return self.serve.mail.wait_for(to).link

    def verify_email(self, **settings) -> str:
        return self.mailed("VERIFY_EMAIL", idToken=self.id_token, **settings)

    def reset_password(self, **settings) -> str:
        return self.mailed("PASSWORD_RESET", email=self.email, **settings)

    def change_email(self, **settings) -> str:
        return self.mailed("VERIFY_AND_CHANGE_EMAIL", self.new_email, idToken=self.id_token, newEmail=self.new_email, **settings)

    def recover_email(self) -> str:
        """Somebody has changed the address; the former one is told."""
        self.serve.api.call("update", oobCode=links.code(self.change_email())).ok()
        return self.serve.mail.wait_for(self.email).link

    def signs_in(self, password: str, email: str | None = None) -> bool:
        return self.serve.api.call("signInWithPassword", email=email or self.email, password=password).status == 200

    @property
    def user(self) -> dict | None:
        return self.serve.api.user(self.email)


@pytest.fixture
def account(serve, address) -> Account:
    return Account(serve, address)


MODES = {
    "verifyEmail": (Account.verify_email, "emailVerified", lambda a: a.user["emailVerified"]),
    "resetPassword": (Account.reset_password, "passwordReset", lambda a: a.signs_in(NEW) and not a.signs_in(OLD)),
    "verifyAndChangeEmail": (
        Account.change_email, "emailChanged", lambda a: a.user is None and a.serve.api.user(a.new_email) is not None),
    "recoverEmail": (Account.recover_email, "emailRecovered", lambda a: a.user is not None and a.serve.api.user(a.new_email) is None),
}
every_mode = pytest.mark.parametrize("mode", MODES)


def fill(tab, mode: str):
    if mode == "resetPassword":
        tab.type(PASSWORDS, NEW)


def fill_and_press(tab, mode: str):
    fill(tab, mode)
    tab.press(BUTTON)


# Every mode, from the mail to the effect


@with_and_without_script
@every_mode
def test_a_mailed_link_does_what_it_says(browser, account, mode, script):
    make, done, happened = MODES[mode]
    link = make(account)
    with browser.tab(PHONE, script=script) as tab:
        tab.open(link)
        assert tab.heading == heading(mode)
        assert not happened(account), "looking is not doing"
        tab.audit()
        if script:
            tab.screenshots(mode)
        fill_and_press(tab, mode)
        assert tab.heading == heading(done)
        assert happened(account)
        tab.audit()
        # The offer of a new password names the spent link once more.
        assert mode == "recoverEmail" or links.code(link) not in tab.driver.page_source
        if script:
            tab.screenshots(done)


@with_and_without_script
@every_mode
def test_a_link_with_a_continue_url_ends_there(browser, app_site, account, mode, script):
    if mode == "recoverEmail":
        # Nobody asks for this mail, so nobody names a place to go on to.
        link, here = account.recover_email(), None
    else:
        link, here = MODES[mode][0](account, continueUrl=CONTINUE), CONTINUE
    before = len(app_site.visits)
    with browser.tab(script=script) as tab:
        tab.open(link)
        fill_and_press(tab, mode)
        assert MODES[mode][2](account)
        if here is None:
            assert tab.host == "auth.example.com"
            return
        assert tab.url == CONTINUE and tab.heading == "Back in the app"
    assert [visit.path for visit in app_site.visits[before:]] == ["/finish?from=mail"]
    assert "referer" not in app_site.visits[-1].headers


@with_and_without_script
def test_a_sign_in_link_goes_straight_to_the_web(serve, browser, app_site, address, script):
    email = address()
    serve.api.send_link(email, CONTINUE).ok()
    link = serve.mail.wait_for(email).link
    with browser.tab(script=script) as tab:
        tab.open(link)
        assert tab.heading == "Back in the app"
        assert_can_sign_in(serve, email, link, tab.url)
    assert "referer" not in app_site.visits[-1].headers


@with_and_without_script
def test_a_sign_in_link_for_an_app_offers_the_app_and_the_web(serve, browser, app_site, address, script):
    email = address()
    serve.api.send_link(email, CONTINUE, **APP).ok()
    link = serve.mail.wait_for(email).link
    assert urlsplit(link).hostname == configuration.LINK_DOMAIN
    with browser.tab(PHONE, script=script) as tab:
        tab.open(link)
        assert tab.heading == heading("openApp")
        hosts = [urlsplit(found.get_attribute("href")).hostname for found in tab.find_all("a[href^='https:']")]
        assert "example.com" in hosts
        tab.audit()
        if script:
            tab.screenshots("openApp")
        tab.press("a[href^='https://example.com/']")
        assert tab.heading == "Back in the app"
        assert_can_sign_in(serve, email, link, tab.url)
    assert "referer" not in app_site.visits[-1].headers


def assert_can_sign_in(serve, email: str, link: str, url: str):
    query = parse_qs(urlsplit(url).query)
    assert (query["mode"], query["oobCode"], query["from"]) == (["signIn"], [links.code(link)], ["mail"])
    assert serve.api.complete(email, query["oobCode"][0]).ok()["email"] == email


# The same by keyboard


@every_mode
def test_by_keyboard_alone(browser, account, mode):
    make, done, happened = MODES[mode]
    with browser.tab(NARROW) as tab:
        tab.open(make(account))
        problems = []
        if mode == "resetPassword":
            problems += tab.tab_to(PASSWORDS)
            for number in range(len(tab.find_all(PASSWORDS))):
                if number:
                    tab.tab_to(PASSWORDS)
                tab.key(NEW)
        problems += tab.tab_to(BUTTON)
        tab.look(dark=True)
        problems += tab.focus_problems()
        assert not problems
        page = tab.page_id()
        tab.key(Keys.ENTER)
        tab.wait_for_another_page(page)
        assert tab.heading == heading(done)
        assert happened(account)


def test_enter_in_the_field_sets_the_password(browser, account):
    with browser.tab() as tab:
        tab.open(account.reset_password()).type(PASSWORDS, NEW)
        page = tab.page_id()
        tab.key(Keys.ENTER)
        tab.wait_for_another_page(page)
        assert account.signs_in(NEW)


# Once, and only once


@every_mode
def test_pressed_twice_it_happens_once(serve, browser, account, mode):
    make, _, happened = MODES[mode]
    link = make(account)
    with browser.tab() as tab:
        tab.open(link)
        fill(tab, mode)
        tab.press_twice(BUTTON)
        wait_until(lambda: happened(account), 5, "the effect")
        # Whichever answer the browser shows in the end, it is a page that says how things are.
        assert tab.heading in (heading(MODES[mode][1]), heading("used"), heading("voided"))
        assert happened(account)


@every_mode
def test_back_and_reload_do_nothing_again(browser, account, mode):
    make, done, happened = MODES[mode]
    link = make(account)
    with browser.tab() as tab:
        tab.open(link)
        fill_and_press(tab, mode)
        assert tab.heading == heading(done)
        if mode == "resetPassword":
            # What has happened since must stay.
            account.serve.api.admin_call("update", localId=account.user["localId"], password="set in between").ok()
        page = tab.page_id()
        tab.driver.refresh()
        tab.wait_for_another_page(page)
        assert tab.heading in (heading(done), heading("used"), heading("voided")), "a reload shows how things are"
        tab.driver.back()
        tab.wait_for("h1")
        # Browsers may show the form as it was left, in spite of no-store; what it sends is refused.
        if tab.has(BUTTON):
            fill_and_press(tab, mode)
        assert tab.heading in (heading("used"), heading("voided"))
        if mode == "resetPassword":
            assert account.signs_in("set in between") and not account.signs_in(NEW)
        else:
            assert happened(account)


@every_mode
def test_a_link_that_is_open_twice_works_once(browser, account, mode):
    make, done, happened = MODES[mode]
    link = make(account)
    with browser.tab() as first:
        first.open(link)
        fill(first, mode)
        # Meanwhile the same link is completed elsewhere.
        query = urlsplit(links.parse(link).url).query
        token = first.evaluate("() => document.querySelector('input[name=token]').value")
        answer = account.serve.client.request(
            "POST", "/__/auth/action", urlencode({"query": query, "token": token, "newPassword": "set elsewhere"}),
            {"Host": "auth.example.com", "Content-Type": "application/x-www-form-urlencoded"})
        assert answer.status == 200
        first.press(BUTTON)
        assert first.heading in (heading("used"), heading("voided"))
    if mode == "resetPassword":
        assert account.signs_in("set elsewhere") and not account.signs_in(NEW)
    else:
        assert happened(account)
    with browser.tab() as later:
        later.open(link)
        assert later.heading == heading("used")
        assert not later.has("form")
        if mode == "verifyEmail":
            later.audit()
            later.screenshots("used")


# What is refused


@with_and_without_script
def test_a_weak_password_is_refused_and_the_link_kept(browser, account, script):
    with browser.tab(NARROW, script=script) as tab:
        tab.open(account.reset_password())
        # The browser itself holds back what is too short; others may not.
        tab.evaluate("() => document.querySelectorAll('input').forEach((one) => ['minlength', 'pattern'].forEach((name) => one.removeAttribute(name)))")
        tab.type(PASSWORDS, "short")
        tab.press(BUTTON)
        assert tab.heading == heading("resetPassword")
        alert = tab.find("[role=alert]")
        assert alert.is_displayed() and alert.text == TEXTS["weakPassword"]
        assert account.signs_in(OLD)
        tab.audit()
        if script:
            tab.screenshots("resetPassword-weak")
        fill_and_press(tab, "resetPassword")
        assert tab.heading == heading("passwordReset")
    assert account.signs_in(NEW)


def test_the_browser_holds_back_a_password_that_is_too_short(browser, account):
    with browser.tab() as tab:
        tab.open(account.reset_password()).type(PASSWORDS, "short")
        page = tab.page_id()
        tab.find(BUTTON).click()
        assert tab.evaluate("() => document.querySelector('form').matches(':invalid')")
        assert tab.page_id() == page
    assert account.signs_in(OLD)


def test_an_altered_link(browser, account):
    link = account.verify_email()
    with browser.tab() as tab:
        tab.open(link.replace("lang=en", "lang=fr"))
        assert tab.heading == heading("altered")
        assert not tab.has("form") and not tab.has("a[href]")
        tab.audit()
        tab.screenshots("altered")
    assert not account.user["emailVerified"]


def test_a_form_that_was_changed_is_refused(browser, account):
    with browser.tab() as tab:
        tab.open(account.verify_email())
        tab.evaluate("() => { document.querySelector('input[name=token]').value = 'x' }")
        tab.press(BUTTON)
        assert tab.heading == heading("refused")
        tab.audit()
        tab.screenshots("refused")
    assert not account.user["emailVerified"]


def test_a_form_on_another_site_is_refused(browser, account, app_site):
    """Even one that has got hold of the page's own token."""
    link = account.verify_email()
    with browser.tab() as tab:
        tab.open(link)
        query, token = (tab.evaluate("(n) => document.querySelector(`input[name=${n}]`).value", name) for name in ("query", "token"))
        tab.open("https://example.com/evil")
        page = tab.page_id()
        tab.evaluate("""(query, token) => {
            const form = document.createElement("form");
            Object.assign(form, { method: "post", action: "https://auth.example.com/__/auth/action" });
            for (const [name, value] of Object.entries({ query, token })) {
                form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
            }
            document.body.append(form);
            form.submit();
        }""", query, token)
        tab.wait_for_another_page(page)
        assert tab.heading == heading("refused")
    assert not account.user["emailVerified"]


def test_no_site_shows_our_pages_in_a_frame(browser, account):
    link = account.verify_email()
    with browser.tab() as tab:
        tab.open("https://example.com/evil")
        tab.evaluate("(link) => { document.body.append(Object.assign(document.createElement('iframe'), { src: link })) }", link)

        def is_refused():
            tab.take_logs()
            return [line for line in tab.complaints if "frame" in line.lower()]

        wait_until(is_refused, 5, "the refusal of the frame")
        tab.complaints.clear()


def test_an_account_that_is_shut(browser, account):
    link = account.verify_email()
    account.serve.api.admin_call("update", localId=account.user["localId"], disableUser=True).ok()
    with browser.tab() as tab:
        tab.open(link)
        if tab.has(BUTTON):
            tab.press(BUTTON)
        assert tab.heading in (heading("disabled"), heading("voided"), heading("used"))
        tab.audit()
        tab.screenshots("disabled")
    assert not account.user["emailVerified"]


def test_an_address_that_was_taken_meanwhile(browser, account):
    link = account.change_email()
    account.serve.api.call("signUp", email=account.new_email, password=OLD).ok()
    with browser.tab() as tab:
        tab.open(link).press(BUTTON)
        assert tab.heading == heading("taken")
        tab.audit()
        tab.screenshots("taken")
    assert account.user is not None


def test_a_newer_change_takes_a_links_place(browser, account):
    link = account.reset_password()
    account.serve.api.admin_call("update", localId=account.user["localId"], password="set by an administrator").ok()
    with browser.tab() as tab:
        tab.open(link)
        assert tab.heading == heading("voided")
        tab.audit()
        tab.screenshots("voided")
    assert account.signs_in("set by an administrator")


def test_an_address_with_nothing_behind_it(browser):
    with browser.tab() as tab:
        tab.open("https://auth.example.com/__/auth/actoin")
        assert tab.heading == heading("notFound")
        tab.audit()
        tab.screenshots("notFound")


@pytest.mark.last
@pytest.mark.slow
def test_an_expired_link(serve, browser, start_of_session):
    wait_until(
        lambda: serve.client.open(start_of_session.link).status != 303, within=70 - min(60, time.monotonic() - start_of_session.began),
        what="expiry", every=0.2)
    with browser.tab(DESKTOP) as tab:
        tab.open(start_of_session.link)
        assert tab.heading == heading("expired")
        assert not tab.has("form") and not tab.has("a[href]")
        tab.audit()
        tab.screenshots("expired")


# The tests' own eyes


BAD = {
    "has a contrast of": "<p data-style='color:#999;background:#fff'>pale</p>",
    "scrolls sideways": "<div data-style='width:2000px;height:1px'></div>",
    "2 h1": "<h1>Another</h1>",
    "has no label": "<input data-style='min-height:44px;border:1px solid #777'>",
    "the edge of": "<label>x<input data-style='min-height:44px;border:1px solid rgba(128,128,128,.2)'></label>",
    "px high": "<button data-style='height:30px'>small</button>",
    "has no name": "<button data-style='height:44px;width:44px'></button>",
    "has no alt": "<img width=9 height=9>",
    "twice": "<p id=a></p><p id=a></p>",
}


@pytest.mark.parametrize("problem", BAD)
def test_the_audit_sees(browser, problem):
    with browser.tab() as tab:
        tab.open("https://auth.example.com/__/auth/action")
        assert not tab.problems()
        tab.evaluate("""(html) => {
            document.querySelector("main").insertAdjacentHTML("beforeend", html);
            // The page's own policy refuses styles in attributes.
            for (const one of document.querySelectorAll("[data-style]")) one.style.cssText = one.dataset.style;
        }""", BAD[problem])
        assert any(problem in found for found in tab.problems())


def test_the_audit_sees_foreign_requests_and_refused_ones(browser, app_site):
    with browser.tab() as tab:
        tab.open("https://example.com/")
        tab.evaluate("() => { document.body.append(Object.assign(new Image(), { alt: '', src: 'https://elsewhere.test/pixel.png' })) }")

        def is_seen():
            tab.take_logs()
            return tab.foreign and tab.complaints

        wait_until(is_seen, 5, "the request and its failure")
        assert "ERR_NAME_NOT_RESOLVED" in tab.complaints[-1]
        tab.open("https://auth.example.com/__/auth/action")
        tab.evaluate("() => { document.body.append(Object.assign(new Image(), { alt: '', src: 'https://elsewhere.test/pixel.png' })) }")
        wait_until(lambda: tab.take_logs() or "Content Security Policy" in tab.complaints[-1], 5, "the policy's refusal")
        tab.complaints.clear(), tab.requests.clear()


def test_the_audit_sees_a_hidden_focus(browser):
    with browser.tab() as tab:
        tab.open("https://example.com/")
        tab.evaluate("() => { document.body.innerHTML = '<button id=one style=\"outline: none\">One</button>' }")
        assert tab.tab_to("#one") == ["button#one does not show the focus"]
