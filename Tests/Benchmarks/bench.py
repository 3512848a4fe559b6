"""Measures Postern against references on the same machine in the same run, a reference beside each round.

run [NAME ...]    all measurements, or the named ones: accepts latency completions files outbox memory start burst stored
"""

import os
import pathlib
import platform
import re
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from parties import (CORES, LINK_DOMAIN, ROOT, MailSink, Nginx, Party, Postern, SilentMailServer, build_insert_rows, free_port,
                     openssl_signs, smtp_source, wrk)

ROUNDS = 5
SECONDS = 2
STORED = 5_000_000


class Report:
    """The table. A ratio is the median of the rounds' ratios, so it can differ a little from that of the medians beside it."""

    def __init__(self):
        self.rows = []
        self.missed = []

    def ratio(self, what, subjects, references, unit, at_least=None, at_most=None):
        ratio = statistics.median(subject / reference for subject, reference in zip(subjects, references))
        self._add(what, statistics.median(subjects), statistics.median(references), unit, ratio, f"{ratio:.2f}", at_least, at_most, "")

    def value(self, what, value, unit, at_most):
        self._add(what, value, None, unit, value, "", None, at_most, " " + unit)

    def _add(self, what, subject, reference, unit, judged, ratio, at_least, at_most, suffix):
        holds = judged >= at_least if at_least is not None else judged <= at_most
        floor = f">= {at_least:.2f}" if at_least is not None else f"<= {at_most:g}{suffix}"
        def show(number):
            return "" if number is None else f"{number:,.{0 if number >= 1000 else 1 if number >= 10 else 2}f} {unit}"
        row = (what, show(subject), show(reference), ratio, floor, "ok" if holds else "MISSED")
        self.rows.append(row)
        if not holds:
            self.missed.append(what)
        print("  ".join(cell for cell in row if cell), file=sys.stderr, flush=True)

    def print(self):
        table = [("what", "Postern", "reference", "ratio", "floor", ""), *self.rows]
        widths = [max(len(row[column]) for row in table) for column in range(6)]
        for index, row in enumerate(table):
            print("  ".join(cell.ljust(width) if column in (0, 5) else cell.rjust(width)
                            for column, (cell, width) in enumerate(zip(row, widths))).rstrip())
            if index == 0:
                print("  ".join("-" * width for width in widths))


class Bench:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.report = Report()
        self.insert_rows = build_insert_rows(folder)
        self.keys = self.folder / "keys"
        self.count = 0

    def new_folder(self):
        self.count += 1
        return self.folder / f"run{self.count}"

    def postern(self, mail_port, folder=None):
        return Postern(folder or self.new_folder(), mail_port, self.keys)

    def filled(self, mails):
        """A folder with a database in which this many mails wait, all of them due."""
        folder = self.new_folder()
        with SilentMailServer() as silent, self.postern(silent.port, folder) as postern:
            count = 0
            while count < mails:
                count += wrk(postern.url, "accepts.lua", f"fill{count}", 0, seconds=2)["requests"]
        with sqlite3.connect(folder / "postern.sqlite3") as database:
            database.execute("DELETE FROM outbox WHERE id NOT IN (SELECT id FROM outbox ORDER BY id LIMIT ?)", (mails,))
            database.execute("UPDATE outbox SET state = 0, attempts = 0, owner = NULL, reason = NULL, due_at = created_at")
        return folder

    def make_codes(self, postern, atleast):
        """A file with codes and their addresses."""
        path = self.folder / "codes"
        count = 0
        with open(path, "wb") as codes:
            while count < atleast:
                wrk(postern.url, "links.lua", f"link{count}", f"{self.folder}/part", seconds=2)
                for part in self.folder.glob("part*"):
                    data = part.read_bytes()
                    # What a thread was writing when time was up.
                    data = data[:data.rfind(b"\n") + 1]
                    count += data.count(b"\n")
                    codes.write(data)
        return path

    # What is measured

    def accepts(self):
        template = self.new_folder()
        with SilentMailServer() as silent, self.postern(silent.port, template) as postern:
            one_accept(postern)
        with sqlite3.connect(template / "postern.sqlite3") as database:
            database.execute("UPDATE outbox SET state = 0, attempts = 0, owner = NULL, reason = NULL, due_at = created_at")
        subjects, references = [], []
        for _ in range(ROUNDS):
            copy = self.new_folder()
            shutil.copytree(template, copy)
            references.append(float(subprocess.run(
                [self.insert_rows, copy / "postern.sqlite3", str(SECONDS)], capture_output=True, check=True).stdout))
            with SilentMailServer() as silent, self.postern(silent.port) as postern:
                subjects.append(wrk(postern.url, "accepts.lua", "a", 0, seconds=SECONDS)["rate"])
        self.report.ratio("durable accepts / C loop into SQLite", subjects, references, "/s", at_least=0.60)

    def latency(self):
        """Half of what it can do, with the mail server up, silent and dead."""
        with SilentMailServer() as silent, self.postern(silent.port) as postern:
            most = wrk(postern.url, "accepts.lua", "most", 0, seconds=SECONDS)["rate"]
        think = round(64 / (most / 2) * 1000)
        results = {"up": [], "silent": [], "dead": []}
        for index in range(3):
            for name, server in [("up", MailSink()), ("silent", SilentMailServer()), ("dead", Nobody())]:
                with server, self.postern(server.port) as postern:
                    results[name].append(wrk(postern.url, "accepts.lua", f"l{index}", think, seconds=SECONDS))
        up = [result["median_ms"] for result in results["up"]]
        for name in ["silent", "dead"]:
            self.report.ratio(f"accept latency, mail server {name} / up", [result["median_ms"] for result in results[name]], up, "ms",
                              at_most=1.25)
        for name in ["up", "silent", "dead"]:
            self.report.value(f"accept latency, mail server {name}, 99th percentile",
                              statistics.median(result["p99_ms"] for result in results[name]), "ms", at_most=10)

    def completions(self):
        subjects, references = [], []
        with SilentMailServer() as silent, self.postern(silent.port) as postern:
            codes = self.make_codes(postern, 1.5 * openssl_signs(1) * SECONDS * ROUNDS).read_bytes().splitlines(keepends=True)
            share = len(codes) // ROUNDS
            for index in range(ROUNDS):
                references.append(openssl_signs(SECONDS // 2))
                part = self.folder / "round"
                part.write_bytes(b"".join(codes[index * share:(index + 1) * share]))
                subjects.append(wrk(postern.url, "completions.lua", part, 2, 0, seconds=SECONDS)["rate"])
        self.report.ratio("completions / openssl rsa2048 signs", subjects, references, "/s", at_least=0.40)

    def files(self):
        path = "/.well-known/apple-app-site-association"
        with SilentMailServer() as silent, self.postern(silent.port) as postern, Nginx(self.new_folder(), postern.get(path)) as nginx:
            subjects, references = [], []
            for _ in range(ROUNDS):
                for url, rates in [(nginx.url, references), (postern.url, subjects)]:
                    rates.append(wrk(url + path, "summary.lua", seconds=SECONDS, headers=[f"Host: {LINK_DOMAIN}"])["rate"])
        self.report.ratio("association file GETs / nginx", subjects, references, "/s", at_least=0.85)

    def outbox(self):
        mails = 15_000
        size = self.mail_size()
        full = self.filled(mails)
        subjects, references = [], []
        for _ in range(ROUNDS):
            with MailSink() as sink:
                references.append(smtp_source(sink.port, mails, size))
            folder = self.new_folder()
            shutil.copytree(full, folder)
            with MailSink() as sink, self.postern(sink.port, folder) as postern:
                subjects.append(sending_rate(postern, mails))
            shutil.rmtree(folder)
        self.report.ratio(f"mails from a full outbox / smtp-source ({size} octets)", subjects, references, "/s", at_least=1.00)

    def mail_size(self):
        """Octets of a mail as it goes out, without the lines that smtp-sink adds."""
        capture = self.folder / "mail"
        with MailSink(capture=capture) as sink, self.postern(sink.port) as postern:
            one_accept(postern)
            for _ in range(200):
                time.sleep(0.02)
                if postern.mails_sent() == 1:
                    break
        mail = capture.read_bytes()
        own = re.search(rb"^(?!X-|Received:|\s)", mail, re.MULTILINE).start()
        return len(mail[own:].rstrip(b"\n")) + mail[own:].count(b"\n")

    def memory(self):
        with SilentMailServer() as silent, self.postern(silent.port) as postern:
            time.sleep(1)
            self.report.value("memory, idle", postern.memory("VmRSS"), "MB", at_most=40)
        full = self.filled(100_000)
        with SilentMailServer() as silent, self.postern(silent.port, full) as postern:
            wrk(postern.url, "accepts.lua", "m", 0, seconds=3, connections=256)
            self.report.value("memory, 256 connections and 100,000 mails", postern.memory("VmHWM"), "MB", at_most=100)

    def start(self):
        first, warm = [], []
        with SilentMailServer() as silent:
            for _ in range(5):
                folder = self.new_folder()
                for times in [first, warm]:
                    with Postern(folder, silent.port) as postern:
                        times.append(postern.milliseconds_to_ready)
        self.report.value("start to ready", statistics.median(warm), "ms", at_most=60)
        self.report.value("first start, which makes keys", statistics.median(first), "ms", at_most=500)

    def burst(self):
        with SilentMailServer() as silent, self.postern(silent.port) as postern:
            slowest = max(answer_all(postern, f"burst{index}") for index in range(3))
        self.report.value("256 requests at one instant", slowest * 1000, "ms", at_most=1000)

    def stored(self):
        """With LONG=1: the same with ten thousand and with five million codes."""
        rates, medians = [], []
        with SilentMailServer() as silent, self.postern(silent.port) as postern:
            stored = 0
            for goal in [10_000, STORED]:
                while stored < goal:
                    seconds = 1 if goal - stored < 100_000 else 20
                    stored += wrk(postern.url, "links.lua", f"s{stored}", seconds=seconds)["requests"]
                rates.append([wrk(postern.url, "accepts.lua", f"{goal}-{index}", 0, seconds=1)["rate"] for index in range(ROUNDS)])
                think = round(64 / (openssl_signs(1) / 5) * 1000)
                medians.append([
                    wrk(postern.url, "completions.lua", self.make_codes(postern, 5_000), 2, think, seconds=SECONDS)["median_ms"]
                    for _ in range(ROUNDS)])
        self.report.ratio("accepts, 5 million stored / 10 thousand", rates[1], rates[0], "/s", at_least=0.70)
        self.report.ratio("completion latency, 5 million stored / 10 thousand", medians[1], medians[0], "ms", at_most=1.2)


class Nobody(Party):
    """A port at which connections are refused."""

    def __init__(self):
        self.port = free_port()


def request_bytes(address):
    body = (f'{{"requestType":"EMAIL_SIGNIN","email":"{address}","continueUrl":"https://app.example.com/finish?cart=1",'
            '"canHandleCodeInApp":true,"iOSBundleId":"com.example.app","androidPackageName":"com.example.app"}').encode()
    head = ("POST /v1/accounts:sendOobCode?key=bench-key HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n")
    return head.encode() + body


def connection(postern):
    host, port = postern.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=10)


def one_accept(postern):
    with connection(postern) as client:
        client.sendall(request_bytes("reference-1-0@people.example.com"))
        assert b" 200 " in client.recv(4096)


def answer_all(postern, word):
    """Seconds from the first of 256 requests, each on a connection that is open already, to the last answer."""
    clients = [connection(postern) for _ in range(256)]
    requests = [request_bytes(f"{word}-{index}@people.example.com") for index in range(256)]
    start = time.perf_counter()
    for client, request in zip(clients, requests):
        client.sendall(request)
    for client in clients:
        assert b" 200 " in client.recv(4096)
    seconds = time.perf_counter() - start
    for client in clients:
        client.close()
    return seconds


def sending_rate(postern, mails):
    """Mails a second between the first tenth and the last: by then every lane is connected, and none of them runs dry."""
    def reached(count):
        while True:
            sent = postern.mails_sent()
            now = time.perf_counter()
            if sent >= count:
                return sent, now
            time.sleep(0.02)
    first, start = reached(mails * 0.1)
    last, end = reached(mails * 0.9)
    return (last - first) / (end - start)


def machine():
    processor = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    load = os.getloadavg()[0]
    line = f"{CORES} x {processor.group(1) if processor else platform.machine()}, Linux {platform.release()}, load {load:.1f} at the start"
    return line + ("\nOther work is running: floors in milliseconds say little, ratios less than usual." if load > CORES / 2 else "")


def main():
    names = ["accepts", "latency", "completions", "files", "outbox", "memory", "start", "burst"]
    chosen = sys.argv[1:] or names + (["stored"] if os.environ.get("LONG") == "1" else [])
    unknown = [name for name in chosen if name not in [*names, "stored"]]
    if unknown:
        raise SystemExit(f"bench: no measurement is called {unknown[0]}\n{__doc__}")
    where = machine()
    # So that whoever ends the benchmark ends what it started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    # Not in /tmp, which may be memory: the disk is part of what is measured.
    (ROOT / ".build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=ROOT / ".build") as folder:
        bench = Bench(folder)
        for name in chosen:
            getattr(bench, name)()
    print(f"\n{where}\n")
    bench.report.print()
    if bench.report.missed:
        raise SystemExit("\nMISSED: " + "; ".join(bench.report.missed))


if __name__ == "__main__":
    main()
