"use strict";

// The inbox of `postern dev`. Everything that comes out of a mail is put into the page as text; its HTML is shown by a frame that may do nothing.

const PAGE = "/_postern/";
const LIST = "/_postern/inbox.json";
const NEWS = "/_postern/events";
const TABS = ["text", "html", "source"];

const element = (id) => document.getElementById(id);
const mailPage = (id) => PAGE + "inbox/" + encodeURIComponent(id);

const state = {
  mails: new Map(), // by id, oldest first
  version: null, // the ETag of what `mails` holds
  openedID: null, // what the address says
  shownID: null, // what the page shows
  tab: "html",
};

// Asking for mail

let asking = false;
let askAgain = false; // more has come while the answer was on its way

async function ask() {
  askAgain = asking;
  if (asking) return;
  asking = true;
  try {
    const response = await fetch(LIST, { cache: "no-store", headers: state.version ? { "If-None-Match": state.version } : {} });
    if (response.status === 200) {
      const mails = await response.json();
      state.version = response.headers.get("ETag");
      take(mails);
    } else if (response.status !== 304) {
      throw new Error(`status ${response.status}`);
    }
    say(state.mails.size === 1 ? "1 mail" : `${state.mails.size} mails`);
  } catch {
    say("Postern does not answer; trying again.");
  } finally {
    asking = false;
    if (askAgain) ask();
  }
}

function take(mails) {
  state.mails = new Map(mails.map((mail) => [mail.id, mail]));
  showList();
  showMail();
}

function say(text) {
  const status = element("status");
  // Set only when it is news, since screen readers read out every change.
  if (status.textContent !== text) status.textContent = text;
}

function announce(text) {
  element("announcement").textContent = "";
  setTimeout(() => { element("announcement").textContent = text; }, 50);
}

// The list

const rows = new Map(); // by id: the list item and what it was made of

function showList() {
  const list = element("mails");
  for (const [id, row] of rows) {
    if (sameMail(row.mail, state.mails.get(id))) continue;
    row.item.remove();
    rows.delete(id);
  }
  // Only what is new is added, so that focus and place stay where they are.
  const added = document.createDocumentFragment();
  for (const mail of state.mails.values()) {
    if (rows.has(mail.id)) continue;
    const item = makeRow(mail);
    rows.set(mail.id, { item, mail });
    added.prepend(item);
  }
  list.prepend(added);

  const isEmpty = state.mails.size === 0;
  element("empty-inbox").hidden = isEmpty;
  element("start").hidden = !isEmpty || state.openedID !== null;
  element("inbox").hidden = isEmpty && state.openedID === null;
}

// Ids begin again at 1 when the server does.
function sameMail(one, other) {
  return other !== undefined && one.receivedAt === other.receivedAt && one.to === other.to;
}

function makeRow(mail) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = mailPage(mail.id);
  link.dataset.id = mail.id;
  link.append(
    makeText("span", "recipient", mail.to), makeTime(mail.receivedAt), makeText("span", "subject", mail.subject || "(no subject)"));
  item.append(link);
  return item;
}

function makeText(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.dir = "auto";
  made.textContent = text;
  return made;
}

function makeTime(receivedAt) {
  const time = document.createElement("time");
  const date = new Date(receivedAt);
  const isToday = date.toDateString() === new Date().toDateString();
  time.dateTime = receivedAt;
  time.title = date.toLocaleString();
  time.textContent = isToday
    ? date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" })
    : date.toLocaleDateString([], { day: "numeric", month: "short" });
  return time;
}

// One mail

function showMail() {
  const mail = state.openedID === null ? undefined : state.mails.get(state.openedID);
  document.body.classList.toggle("reading", state.openedID !== null);
  element("hint").hidden = state.openedID !== null;
  element("gone").hidden = state.openedID === null || mail !== undefined || state.version === null;
  element("opened").hidden = mail === undefined;
  for (const [id, row] of rows) {
    const link = row.item.firstChild;
    if (id === state.openedID) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = (mail ? mail.subject || "(no subject)" : "Inbox") + " · Postern";
  const key = mail === undefined ? null : mail.id + " " + mail.receivedAt;
  if (key === state.shownID) return;
  state.shownID = key;
  element("frame").replaceChildren();
  element("source").textContent = "";
  if (mail === undefined) return;

  element("subject").textContent = mail.subject || "(no subject)";
  element("from").textContent = header(mail, "From") || mail.from;
  element("to").textContent = header(mail, "To") || mail.to;
  element("date").textContent = new Date(mail.receivedAt).toLocaleString([], { dateStyle: "full", timeStyle: "medium" });
  element("date").dateTime = mail.receivedAt;
  element("project").textContent = mail.project;
  for (const part of document.querySelectorAll(".of-project")) part.hidden = !mail.project;

  const link = mail.link && /^https?:\/\//.test(mail.link) ? mail.link : null;
  element("link").hidden = link === null;
  element("link-text").textContent = link ?? "";
  if (link) element("open-link").href = link;
  else element("open-link").removeAttribute("href");

  element("text").textContent = mail.text ?? "";
  element("download").href = mailPage(mail.id) + ".eml";
  element("download").download = `mail-${mail.id}.eml`;
  element("tab-text").hidden = mail.text === undefined;
  element("tab-html").hidden = mail.html === undefined;
  chooseTab(element("tab-" + state.tab).hidden ? availableTabs()[0] : state.tab);
}

function header(mail, name) {
  const found = Object.keys(mail.headers).find((key) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : mail.headers[found];
}

// Tabs

function availableTabs() {
  return TABS.filter((name) => !element("tab-" + name).hidden);
}

function chooseTab(chosen) {
  for (const name of TABS) {
    const tab = element("tab-" + name);
    tab.setAttribute("aria-selected", String(name === chosen));
    tab.tabIndex = name === chosen ? 0 : -1;
    element("panel-" + name).hidden = name !== chosen;
  }
  if (chosen === "html") fillFrame();
  if (chosen === "source") fillSource();
}

function fillFrame() {
  if (element("frame").firstChild) return;
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "");
  frame.title = "The mail as HTML";
  frame.src = mailPage(state.openedID) + ".html";
  element("frame").append(frame);
}

async function fillSource() {
  const source = element("source");
  if (source.textContent) return;
  const id = state.openedID;
  let text;
  try {
    const response = await fetch(mailPage(id) + ".eml", { cache: "no-store" });
    text = response.ok ? new TextDecoder().decode(await response.arrayBuffer()) : "This mail is not here any more.";
  } catch {
    text = "Postern does not answer.";
  }
  if (id === state.openedID) source.textContent = text;
}

function tabKey(event) {
  const tabs = availableTabs();
  const at = tabs.indexOf(event.target.id.slice("tab-".length));
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  state.tab = tabs[to % tabs.length];
  chooseTab(state.tab);
  element("tab-" + state.tab).focus();
}

// Addresses

function idInAddress() {
  const match = /^\/_postern\/inbox\/([^/]+)$/.exec(location.pathname);
  try {
    return match ? decodeURIComponent(match[1]) : null;
  } catch {
    return match[1];
  }
}

function follow() {
  const left = state.openedID;
  state.openedID = idInAddress();
  showList();
  showMail();
  if (state.openedID !== null) {
    (element("opened").hidden ? element("mail") : element("subject")).focus();
  } else if (rows.has(left)) {
    rows.get(left).item.firstChild.focus();
  }
}

function go(address) {
  if (location.pathname !== address) history.pushState(null, "", address);
  follow();
}

function click(event) {
  const link = event.target.closest("a");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const isMail = link.dataset.id !== undefined;
  if (!isMail && link.getAttribute("href") !== PAGE) return;
  event.preventDefault();
  go(isMail ? mailPage(link.dataset.id) : PAGE);
}

// Buttons

async function copy(text, source) {
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied");
    flash(source, "Copied");
  } catch {
    flash(source, "Not copied: select it by hand");
  }
}

function flash(button, text) {
  button.dataset.label ??= button.textContent;
  button.textContent = text;
  setTimeout(() => { button.textContent = button.dataset.label; }, 1500);
}

async function emptyInbox() {
  if (!confirm("Remove all mails from the inbox?")) return;
  try {
    const response = await fetch(LIST, { method: "DELETE" });
    if (!response.ok) throw new Error(`status ${response.status}`);
    announce("The inbox is empty");
  } catch {
    say("The inbox could not be emptied.");
    return;
  }
  go(PAGE);
  ask();
}

function command() {
  const body = { requestType: "EMAIL_SIGNIN", email: "you@example.com", continueUrl: "http://localhost:3000/welcome", canHandleCodeInApp: true };
  return `curl '${location.origin}/v1/accounts:sendOobCode?key=demo' \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`;
}

element("command").textContent = command();
element("emulator").textContent = location.origin;
element("copy-command").addEventListener("click", (event) => copy(command(), event.target));
element("copy-link").addEventListener("click", (event) => copy(element("link-text").textContent, event.target));
element("empty-inbox").addEventListener("click", emptyInbox);
for (const name of TABS) {
  element("tab-" + name).addEventListener("click", () => { state.tab = name; chooseTab(name); });
  element("tab-" + name).addEventListener("keydown", tabKey);
}
document.addEventListener("click", click);
window.addEventListener("popstate", follow);

state.openedID = idInAddress();
// The first event comes at once, and so it does when the server is there again.
const news = new EventSource(NEWS);
news.addEventListener("message", ask);
news.addEventListener("error", () => { if (news.readyState === EventSource.CONNECTING) checkServer(); });

// Between two events the stream ends by itself, so an error says nothing until nobody answers.
async function checkServer() {
  try {
    await fetch(LIST, { method: "HEAD", cache: "no-store" });
  } catch {
    say("Postern does not answer; trying again.");
  }
}
