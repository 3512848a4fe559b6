// What is wrong with a page for people; asked by the tests from outside. No page loads this file.

const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

// Any CSS colour as red, green, blue and alpha.
function channels(colour) {
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}

function over(front, back) {
  const alpha = front[3];
  return [0, 1, 2].map((at) => front[at] * alpha + back[at] * (1 - alpha)).concat(1);
}

// WCAG 2.2, relative luminance and contrast ratio.
function luminance(colour) {
  const [red, green, blue] = colour.slice(0, 3).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

// What is seen behind an element's text; the canvas under everything follows the colour scheme.
function background(element, problems) {
  const layers = [];
  for (let at = element; at !== null; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (style.backgroundImage !== "none") problems.push(`${name(at)} has a background picture, so its contrast is unknown`);
    if (style.opacity !== "1") problems.push(`${name(at)} is half transparent, so its contrast is unknown`);
    layers.push(channels(style.backgroundColor));
    if (layers.at(-1)[3] === 1) break;
  }
  const canvas = channels(matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#ffffff");
  return layers.reduceRight((back, front) => over(front, back), canvas);
}

function name(element) {
  return element.tagName.toLowerCase() + (element.id ? "#" + element.id : "") + (element.classList.length ? "." + [...element.classList].join(".") : "");
}

function isShown(element) {
  const box = element.getBoundingClientRect();
  // What is put aside for screen readers only is not looked at.
  return element.checkVisibility({ visibilityProperty: true }) && box.width > 1 && box.height > 1 && box.right > 0;
}

function contrastProblems() {
  const problems = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || seen.has(element) || !isShown(element)) continue;
    seen.add(element);
    const back = background(element, problems);
    const ratio = contrast(over(channels(getComputedStyle(element).color), back), back);
    if (ratio < 4.5) problems.push(`${name(element)} has a contrast of ${ratio.toFixed(2)}`);
  }
  for (const field of document.querySelectorAll("input:not([type=hidden]), textarea, select")) {
    if (!isShown(field)) continue;
    const style = getComputedStyle(field);
    const inside = background(field, problems);
    const text = contrast(over(channels(style.color), inside), inside);
    if (text < 4.5) problems.push(`what is typed into ${name(field)} has a contrast of ${text.toFixed(2)}`);
    const outside = background(field.parentElement, problems);
    const edge = contrast(over(channels(style.borderTopColor), outside), outside);
    if (field.type !== "checkbox" && edge < 3) problems.push(`the edge of ${name(field)} has a contrast of ${edge.toFixed(2)}`);
  }
  return problems;
}

// A link inside a sentence is as high as its line (WCAG 2.5.8).
function isInSentence(element) {
  return getComputedStyle(element).display === "inline";
}

function pageProblems() {
  const problems = contrastProblems();
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.body.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > root.clientWidth + 1).map(name);
    problems.push(`scrolls sideways: ${root.scrollWidth} in ${root.clientWidth} (${wide.slice(0, 5)})`);
  }
  if (!root.lang) problems.push("no language");
  if (!["ltr", "rtl"].includes(root.dir || getComputedStyle(root).direction)) problems.push("no direction");
  if (!document.title.trim()) problems.push("no title");
  const headings = [...document.querySelectorAll("h1")].filter(isShown);
  if (headings.length !== 1 || !headings[0].textContent.trim()) problems.push(`${headings.length} h1`);
  if ([...document.querySelectorAll("main")].filter(isShown).length !== 1) problems.push("not one main");
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) !== at))) problems.push(`the id ${id} twice`);
  for (const one of document.querySelectorAll("button, [role=button], input[type=submit], a, summary")) {
    if (!isShown(one) || isInSentence(one)) continue;
    const box = one.getBoundingClientRect();
    if (box.height < 44) problems.push(`${name(one)} is ${box.height.toFixed(1)} px high`);
    if (!one.textContent.trim() && !one.getAttribute("aria-label") && !one.value) problems.push(`${name(one)} has no name`);
  }
  for (const one of document.querySelectorAll("input:not([type=hidden]), textarea, select")) {
    if (!isShown(one)) continue;
    if (one.type !== "checkbox" && one.getBoundingClientRect().height < 44) problems.push(`${name(one)} is less than 44 px high`);
    if (one.labels.length === 0 && !one.getAttribute("aria-label")) problems.push(`${name(one)} has no label`);
    const described = (one.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
    for (const id of described) if (!document.getElementById(id)) problems.push(`${name(one)} is described by ${id}, which is not there`);
  }
  for (const one of document.images) if (!one.hasAttribute("alt")) problems.push(`${name(one)} has no alt`);
  return [...new Set(problems)];
}

// What has the focus must show it: by an outline of at least 2 px and a contrast of 3 (WCAG 2.4.13).
function focusProblems() {
  const element = document.activeElement;
  if (element === null || element === document.body || !isShown(element)) return [];
  const problems = [];
  const style = getComputedStyle(element);
  if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) problems.push(`${name(element)} does not show the focus`);
  else {
    const back = background(parseFloat(style.outlineOffset) < 0 ? element : element.parentElement, problems);
    const ratio = contrast(over(channels(style.outlineColor), back), back);
    if (ratio < 3) problems.push(`the focus of ${name(element)} has a contrast of ${ratio.toFixed(2)}`);
  }
  return problems;
}
