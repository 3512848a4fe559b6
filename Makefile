SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VENV := .build/venv
POSTERN := .build/release/postern

# Debian packages: what the program is built from, and what its tests need besides
PACKAGES := libmicrohttpd-dev libcurl4-openssl-dev libssl-dev libsqlite3-dev libidn2-dev libqrencode-dev pkg-config ca-certificates
TEST_PACKAGES := python3-venv libmail-dkim-perl postfix nginx-light wrk openssl curl sqlite3 gcc libc6-dev chromium chromium-driver tidy zbar-tools spamassassin

.PHONY: help run build test check lint linkage bench install-deps install-test-deps clean

help: ## lists what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

run: install-deps build ## starts Postern on http://127.0.0.1:9099 with an inbox in the browser
	exec $(POSTERN) dev

build: ## builds the program: .build/release/postern
	swift build -c release --product postern

test: install-deps install-test-deps build $(VENV)/ready ## runs every test
	@# One after the other: some look at the clock, and two cores are soon full.
	swift test --no-parallel
	$(VENV)/bin/python -m pytest Tests/EndToEndTests

check: lint install-deps ## everything that must be true before a change lands: format, imports, linkage, tests
	swift build --build-tests --explicit-target-dependency-import-check error
	$(MAKE) --no-print-directory test linkage

lint: ## checks the format of the Swift sources
	swift format lint --strict -r Sources Tests Package.swift

linkage: build ## checks that the program needs FoundationEssentials only, not Foundation with ICU behind it
	@if ldd $(POSTERN) | grep -E 'libFoundation\.so|Internationalization|FoundationICU|libicu'; then \
	  echo 'linkage: $(POSTERN) must not need these; import FoundationEssentials instead of Foundation'; exit 1; \
	else echo 'linkage: no Foundation beyond FoundationEssentials'; fi

bench: install-deps install-test-deps build ## measures speed against references in the same run
	bash Tests/Benchmarks/run

install-deps: ## installs the Debian packages that the build needs, if any is missing
	$(call install,$(PACKAGES))

install-test-deps: ## installs the Debian packages that the tests need, if any is missing; starts no service
	$(call install,$(TEST_PACKAGES))

clean: ## removes everything that was built
	rm -rf .build

$(VENV)/ready: Tests/EndToEndTests/requirements.txt
	python3 -m venv --clear $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

# Installs what is missing of the packages in $(1), as root or through sudo, asking nothing. A policy-rc.d that says no keeps the mail and web
# servers among them from being started; one that is there already is left alone.
define install
@missing=; \
for package in $(1); do \
  dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q '^install ok installed' || missing+=" $$package"; \
done; \
[ -n "$$missing" ] || exit 0; \
echo "Installing Debian packages:$$missing"; \
as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
$$as_root apt-get update -qq; \
if [ ! -e /usr/sbin/policy-rc.d ]; then \
  printf '#!/bin/sh\nexit 101\n' | $$as_root tee /usr/sbin/policy-rc.d >/dev/null; \
  $$as_root chmod 755 /usr/sbin/policy-rc.d; \
  trap "$$as_root rm -f /usr/sbin/policy-rc.d" EXIT; \
fi; \
echo 'postfix postfix/main_mailer_type select No configuration' | $$as_root debconf-set-selections; \
$$as_root env DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 $$missing >/dev/null
endef
