"""Chromium, driven as a person would: pages are opened, read, pressed and typed into, and everything the browser complains about is kept."""

import base64
import json
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from websocket import create_connection

from .postern import ROOT
from .waiting import wait_until

PHONE, NARROW, DESKTOP = (390, 844), (320, 640), (1280, 800)
# A desktop window at 200 % zoom: half as many CSS pixels.
ZOOMED = (640, 400)
ARTEFACTS = ROOT / ".build" / "test-artefacts"
AUDIT = (Path(__file__).parent / "audit.js").read_text()

INSTALL = "make install-test-deps, or: apt-get install chromium chromium-driver"


class Browser:
    """One Chromium; every tab is a profile of its own, so that nothing goes from one test to another.

    `hosts` leads names, with their ports, to ports on loopback; no other name is found. `keys` are the base64 SHA-256 of the public keys that
    are trusted besides the system's.
    """

    def __init__(self, profile: Path, hosts: dict[str, int], keys: list[str]):
        chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
        assert chromium, f"Chromium is missing: {INSTALL}"
        assert driver, f"chromedriver is missing: {INSTALL}"
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        rules = [f"MAP {host} 127.0.0.1:{port}" for host, port in hosts.items()]
        rules += ["MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1", "EXCLUDE localhost"]
        for argument in [
            "--headless=new", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en-GB", f"--user-data-dir={profile}",
            "--host-resolver-rules=" + ", ".join(rules), "--ignore-certificate-errors-spki-list=" + ",".join(keys),
            # Nothing of its own goes out.
            "--no-proxy-server", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
            "--disable-domain-reliability", "--no-pings", "--no-first-run", "--no-default-browser-check", "--metrics-recording-only",
            "--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication,"
            "CertificateTransparencyComponentUpdater,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable",
        ] + (["--no-sandbox"] if os.geteuid() == 0 else []):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"credentials_enable_service": False, "profile.password_manager_leak_detection": False})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.set_capability("unhandledPromptBehavior", "ignore")
        # Both paths are given, so Selenium has nothing to look for and to download.
        self.driver = webdriver.Chrome(options, webdriver.ChromeService(driver, log_output=os.devnull))
        self.driver.set_page_load_timeout(20)
        self._names = {host.split(":")[0] for host in hosts} | {"127.0.0.1", "localhost"}
        self._first = self.driver.current_window_handle
        # A profile of its own is made by the browser as a whole, which chromedriver does not pass commands on to.
        address = self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urlopen(f"http://{address}/json/version") as answer:
            self._socket = create_connection(json.load(answer)["webSocketDebuggerUrl"], timeout=20, suppress_origin=True)
        self._commands = 0

    def quit(self):
        self._socket.close()
        self.driver.quit()

    @contextmanager
    def tab(self, size=DESKTOP, dark=False, script=True):
        """A tab with a fresh profile; at its end nothing may have been complained about or asked from a foreign host."""
        context = self._command("Target.createBrowserContext", {})["browserContextId"]
        target = self._command("Target.createTarget", {"url": "about:blank", "browserContextId": context})["targetId"]
        self.driver.switch_to.window(target)
        tab = Tab(self.driver, self._names)
        try:
            tab.look(size, dark)
            tab.allow_script(script)
            tab.take_logs()
            yield tab
            tab.take_logs()
            assert not tab.complaints, tab.complaints
            assert not tab.foreign, tab.foreign
        finally:
            self.driver.switch_to.window(self._first)
            self._command("Target.disposeBrowserContext", {"browserContextId": context})
            self.driver.get_log("browser"), self.driver.get_log("performance")

    def _command(self, name: str, parameters: dict) -> dict:
        self._commands += 1
        self._socket.send(json.dumps({"id": self._commands, "method": name, "params": parameters}))
        while (answer := json.loads(self._socket.recv())).get("id") != self._commands:
            pass
        assert "result" in answer, answer
        return answer["result"]


class Tab:
    """A page in front of a person."""

    def __init__(self, driver: webdriver.Chrome, names: set[str]):
        self.driver, self.names = driver, names
        self.complaints: list[str] = []
        self.requests: list[tuple[str, str]] = []
        self._sent: dict[str, tuple[str, str]] = {}
        self.size, self.dark = DESKTOP, False

    # How it is looked at

    def look(self, size=None, dark=None):
        self.size, self.dark = size or self.size, self.dark if dark is None else dark
        width, height = self.size
        self._command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self._command(
            "Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    def allow_script(self, allowed: bool):
        self._command("Emulation.setScriptExecutionDisabled", value=not allowed)

    # What a person does

    def open(self, url: str) -> "Tab":
        self.driver.get(url)
        return self

    def find(self, selector: str):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector: str):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def has(self, selector: str) -> bool:
        return bool(self.find_all(selector))

    @property
    def url(self) -> str:
        return self.driver.current_url

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    @property
    def heading(self) -> str:
        return self.find("h1").text

    @property
    def text(self) -> str:
        return self.find("body").text

    def press(self, selector: str = "form button[type=submit]") -> "Tab":
        """Presses what leads to another page, and waits until that is there."""
        page = self.find("html").id
        self.find(selector).click()
        return self.wait_for_another_page(page)

    def press_twice(self, selector: str = "form button[type=submit]"):
        """Presses a button again before the first press has had an answer."""
        page = self.find("html").id
        box = self.evaluate("(s) => { const r = document.querySelector(s).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] }", selector)
        for kind, count in ("mousePressed", 1), ("mouseReleased", 1), ("mousePressed", 2), ("mouseReleased", 2):
            self._command("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=count)
        self.wait_for_another_page(page)

    def wait_for_another_page(self, before: str) -> "Tab":
        def is_another():
            try:
                return self.find("html").id != before and self.evaluate("() => document.readyState") == "complete"
            except (NoSuchElementException, WebDriverException):
                return False

        wait_until(is_another, 10, "another page")
        return self

    def page_id(self) -> str:
        return self.find("html").id

    def wait_for(self, selector: str, text: str = "", within: float = 10.0):
        """The first element that is shown and holds a text."""
        def shown():
            try:
                return self.evaluate(
                    # Not innerText, which lays out every row of a long list for itself.
                    """(selector, text) => [...document.querySelectorAll(selector)].find(
                        (one) => one.textContent.includes(text) && one.checkVisibility({ visibilityProperty: true })) ?? null""", selector, text)
            except WebDriverException:
                # The page is just being left.
                return None

        return wait_until(shown, within, f"{selector} with {text!r}")

    def type(self, selector: str, text: str) -> "Tab":
        """Types into every field that is meant, after emptying it."""
        for found in self.find_all(selector):
            found.clear()
            found.send_keys(text)
        return self

    def key(self, key: str, *held: str):
        actions = webdriver.ActionChains(self.driver, duration=0)
        for one in held:
            actions.key_down(one)
        actions.send_keys(key)
        for one in reversed(held):
            actions.key_up(one)
        actions.perform()

    def tab_to(self, selector: str, steps: int = 12) -> list[str]:
        """Presses Tab until the focus is on what is meant; gives what is wrong with the focus that was shown on the way."""
        problems = []
        for _ in range(steps):
            self.key(Keys.TAB)
            problems += self.focus_problems()
            if self.evaluate("(s) => document.activeElement !== null && document.activeElement.matches(s)", selector):
                return problems
        raise AssertionError(f"{steps} times Tab did not reach {selector}")

    # What a test asks

    def evaluate(self, source: str, *arguments):
        """Asks the page from outside, which works where its own script is switched off too. A function, or statements with a return."""
        if source.startswith("("):
            source = f"return ({source}).apply(null, arguments)"
        return self.driver.execute_script(source, *arguments)

    def problems(self) -> list[str]:
        """What is wrong with the page for people who see, read or press it (audit.js)."""
        return self.evaluate(AUDIT + "; return pageProblems()")

    def focus_problems(self) -> list[str]:
        """What is wrong with how the focus is shown."""
        return self.evaluate(AUDIT + "; return focusProblems()")

    def audit(self, but: str = "nothing"):
        """Holds the page against every rule but one: narrow, zoomed and wide, light and dark."""
        size, dark = self.size, self.dark
        found = []
        for other in NARROW, ZOOMED, PHONE, DESKTOP:
            for is_dark in False, True:
                self.look(other, is_dark)
                found += [f"{problem} at {other[0]} px, {'dark' if is_dark else 'light'}" for problem in self.problems() if problem != but]
        self.look(size, dark)
        assert not found, f"{self.driver.title}: " + "\n".join(dict.fromkeys(found))

    def screenshots(self, name: str):
        """Pictures for people: light and dark, phone and desktop."""
        size, dark = self.size, self.dark
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        for device, other in ("phone", PHONE), ("desktop", DESKTOP):
            for is_dark in False, True:
                self.look(other, is_dark)
                # Frames of other processes follow with the next pictures.
                self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
                picture = self._command("Page.captureScreenshot", format="png")["data"]
                (ARTEFACTS / f"{name}-{device}-{'dark' if is_dark else 'light'}.png").write_bytes(base64.b64decode(picture))
        self.look(size, dark)

    @property
    def foreign(self) -> list[str]:
        """What was asked of hosts that are none of the tests'."""
        asked = [urlsplit(url) for _, url in self.requests]
        return [parts.geturl() for parts in asked if parts.scheme not in ("about", "blob", "chrome", "data") and parts.hostname not in self.names]

    def take_logs(self):
        """Keeps what the browser logged since the last time."""
        refusals = set()
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                request = message["params"]["request"]
                self.requests.append((request["method"], request["url"]))
                self._sent[message["params"]["requestId"]] = self.requests[-1]
            elif message["method"] == "Network.loadingFailed" and message["params"].get("blockedReason") == "csp":
                # It never left the browser, which said so.
                if sent := self._sent.pop(message["params"]["requestId"], None):
                    self.requests.remove(sent)
            elif message["method"] == "Network.responseReceived" and message["params"]["type"] == "Document":
                if message["params"]["response"]["status"] >= 400:
                    refusals.add(message["params"]["response"]["url"])
        for entry in self.driver.get_log("browser"):
            # The page itself may say by its status that the link is dead.
            is_page = entry["source"] == "network" and any(f"{url} - Failed to load resource" in entry["message"] for url in refusals)
            # What it recommends to developers below a warning is not about this page: a user name beside a new password, which the page must
            # not show.
            if not is_page and entry["source"] != "recommendation":
                self.complaints.append(f"{entry['level']} {entry['source']}: {entry['message']}")

    def _command(self, name: str, **parameters) -> dict:
        return self.driver.execute_cdp_cmd(name, parameters)
