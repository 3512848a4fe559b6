"""DKIM keys as `postern keys dkim` makes them, and verifiers that are not ours."""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import dkim

from .postern import run

VERIFIER = Path(__file__).with_name("verify_dkim.pl")


@dataclass
class Keys:
    """What the command printed."""

    output: str
    records: dict[str, str] = field(default_factory=dict)
    zone: dict[str, list[str]] = field(default_factory=dict)
    settings: list[dict] = field(default_factory=list)


def make(config: Path, project: str, *arguments) -> Keys:
    """Runs `postern keys dkim` and reads what it prints: records as a person would take them into DNS, settings as into the file."""
    ended = run("keys", "dkim", "--config", config, "--project", project, *arguments)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr
    keys = Keys(ended.stdout)
    names = re.findall(r"^  name:  (\S+)$", ended.stdout, re.MULTILINE)
    values = re.findall(r"^  value: (.+)$", ended.stdout, re.MULTILINE)
    assert len(names) == len(values) > 0
    keys.records = dict(zip(names, values))
    for name, strings in re.findall(r"^  (\S+)\. IN TXT \( (.+) \)$", ended.stdout, re.MULTILINE):
        keys.zone[name] = re.findall(r'"([^"]*)"', strings)
    keys.settings = [
        {"domain": domain, "selector": selector, "privateKey": key}
        for domain, selector, key in re.findall(r'\{ domain: "(\S+)", selector: "(\S+)", privateKey: "(\S+)" \}', ended.stdout)]
    return keys


def by_dkimpy(content: bytes, records: dict[str, str]) -> dict[str, bool]:
    """What dkimpy says to each signature, by selector."""

    def lookup(name, timeout=5):
        value = records.get(name.decode().rstrip("."))
        return value.encode() if value else None

    verifier = dkim.DKIM(content, minkey=2048)
    count = sum(name.lower() == b"dkim-signature" for name, _ in verifier.headers)
    verdicts = {}
    for index in range(count):
        verifier = dkim.DKIM(content, minkey=2048)
        try:
            verdict = verifier.verify(idx=index, dnsfunc=lookup)
        except dkim.DKIMException:
            verdict = False
        verdicts[verifier.selector.decode()] = verdict
    return verdicts


def by_mail_dkim(content: bytes, records: dict[str, str]) -> dict[str, str]:
    """What Perl's Mail::DKIM says to each signature, by selector."""
    ended = subprocess.run(
        ["/usr/bin/perl", VERIFIER, *(f"{name}={value}" for name, value in records.items())], input=content, capture_output=True, timeout=30)
    assert ended.returncode == 0, ended.stderr.decode()
    lines = [line.split() for line in ended.stdout.decode().splitlines()]
    return {selector: result for selector, _, result in lines}
