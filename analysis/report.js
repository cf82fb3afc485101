"use strict";
// Everything from records and transcripts enters the page through textContent, never as HTML.
const DATA = JSON.parse(document.getElementById("data").textContent);
const VIEWS = ["report", "trials", "seam"];
const FILTERS = [
  ["model", (t) => [DATA.sections[t.section].name]],
  ["strategy", (t) => [t.arm]],
  ["family", (t) => [t.family]],
  ["timing", (t) => [t.timing]],
  ["verdict", (t) => [verdict(t)]],
  ["failed item", (t) => DATA.items.filter((_, i) => t.items && t.items[i][0] === false)],
  ["failure mode", (t) => t.modes || []],
];
const PAGE = 200;

function make(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const text = (number) => DATA.texts[number];

function verdict(trial) {
  if (trial.status !== "scored") return trial.status;
  if (trial.continued_strict) return "continued";
  return trial.continued ? "continued, not strictly" : "not continued";
}

function verdictMark(trial) {
  const word = verdict(trial);
  return make("span", { class: word === "continued" ? "good" : word === "not continued" ? "bad" : "dim" }, word);
}

function members(number) {
  const ranges = DATA.sets[number] || [];
  const found = [];
  for (let i = 0; i < ranges.length; i += 2) {
    for (let n = 0; n < ranges[i + 1]; n++) found.push(DATA.trials[ranges[i] + n]);
  }
  return found;
}

function table(columns, rows, className) {
  const head = make("tr", {}, ...columns.map((c) => make("th", { scope: "col" }, c)));
  const body = rows.map((cells) => make("tr", {}, ...cells.map(cellOf)));
  const built = make("table", { class: className }, make("thead", {}, head), make("tbody", {}, ...body));
  return make("div", { class: "scroll", tabindex: "0" }, built);
}

function cellOf(cell) {
  if (cell instanceof HTMLTableCellElement) return cell;
  return make("td", {}, cell === null || cell === undefined ? "" : cell);
}

function address(view, parameters) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value));
  return `#/${view}?${query}`;
}

// Runs of one plan have the same trial ids: the section tells them apart.
function linkTo(trial) {
  return address("seam", { section: DATA.sections.length > 1 ? String(trial.section) : "", trial: trial.id });
}

function select(label, options, value, change) {
  const list = make("select", { onchange: (event) => change(event.target.value) });
  for (const [key, shown] of options) {
    const option = make("option", { value: key }, shown);
    option.selected = key === value;
    list.append(option);
  }
  return make("label", {}, label, list);
}

// ---- trials

function drawTrials(query) {
  const given = Object.fromEntries(query);
  const base = given.set ? members(Number(given.set)) : DATA.trials;
  const change = (name) => (value) => { location.hash = address("trials", { ...given, [name]: value, all: "" }); };
  const filters = make("div", { class: "filters" });
  let found = base;
  for (const [name, values] of FILTERS) {
    const known = [...new Set(base.flatMap(values).filter((v) => v))];
    if (known.length > 1 || given[name]) {
      filters.append(select(name, [["", "any"], ...known.map((v) => [v, v])], given[name] || "", change(name)));
    }
    if (given[name]) found = found.filter((t) => values(t).includes(given[name]));
  }
  const words = (given.task || "").toLowerCase();
  filters.append(make("label", {}, "task or id has", make("input", {
    type: "search", value: given.task || "", onchange: (event) => change("task")(event.target.value),
  })));
  if (words) found = found.filter((t) => `${t.task} ${t.id}`.toLowerCase().includes(words));
  const shown = given.all ? found : found.slice(0, PAGE);
  const rows = shown.map((t) => [
    make("a", { href: linkTo(t) }, t.id), t.task, t.timing, t.arm, verdictMark(t),
    (t.modes || []).join(", ") || t.reason || "", t.first_response || "",
  ]);
  const more = found.length > shown.length
    ? make("p", {}, make("a", { href: address("trials", { ...given, all: "1" }) }, `show all ${found.length}`)) : null;
  const set = given.set
    ? make("p", { class: "hint" }, `The ${base.length} trials behind the number that was followed. `,
      make("a", { href: "#/trials" }, "All trials")) : null;
  document.getElementById("trials").replaceChildren(make("div", {},
    make("h1", {}, "Trials"), set, filters, make("p", {}, `${found.length} of ${base.length} trials`),
    table(["trial", "task", "timing", "strategy", "verdict", "failure modes or reason", "first response"], rows), more));
}

// ---- seams

function drawSeam(query) {
  const within = (t) => !query.get("section") || t.section === Number(query.get("section"));
  const asked = DATA.trials.find((t) => t.id === query.get("trial") && within(t)) || null;
  const first = asked || DATA.trials.find((t) => !query.get("prefix") || t.prefix === query.get("prefix")) || DATA.trials[0];
  const section = query.get("section") && !asked ? Number(query.get("section")) : first.section;
  const place = document.getElementById("seam");
  const all = DATA.trials.filter((t) => t.section === section);
  const prefixes = [...new Set(all.map((t) => t.prefix))].sort();
  const prefix = prefixes.includes(first.prefix) ? first.prefix : prefixes[0];
  const here = all.filter((t) => t.prefix === prefix);
  const hidden = new Set((query.get("without") || "").split("\n").filter((arm) => arm));
  const trials = here.filter((t) => !hidden.has(t.arm));
  const go = (changes) => { location.hash = address("seam", { section: String(section), prefix, without: [...hidden].join("\n"), ...changes }); };
  place.replaceChildren(
    make("h1", {}, "Around the seam", DATA.sections[section].sim ? " (simulated: reference worker)" : ""),
    chooser(section, prefixes, prefix, go), armTicks(here, hidden, go),
  );
  if (!trials.length) return;
  const seam = here.find((t) => t.seam[0] !== null) || here[0];
  if (seam.seam[0] !== null) {
    place.append(make("p", { class: "hint" },
      `The history is cut after turn ${seam.seam[0]}, with ${seam.seam[1]} sub-goals done and ${seam.seam[2]} open.`));
  }
  place.append(
    make("h2", {}, "Established before the seam"), factMatrix(trials),
    make("h2", {}, "Verdict by item"), itemMatrix(trials),
    make("p", { class: "note" }, "no occasion: passed, but the window gave no occasion to break it."),
    make("h2", {}, "First view, turns and evidence"),
    make("div", { class: "arms", tabindex: "0", role: "region", "aria-label": "strategies side by side" },
      ...trials.map((t) => armColumn(t, asked && t.id === asked.id))),
  );
  const chosen = place.querySelector(".chosen");
  if (chosen) chosen.parentNode.scrollLeft = chosen.offsetLeft - chosen.parentNode.offsetLeft - 20;
}

function chooser(section, prefixes, prefix, go) {
  const at = prefixes.indexOf(prefix);
  const task = (name) => name.split(" ")[0];
  const shown = (name) => {
    const [, timing, repeat, draw, seam] = name.split(" ");
    return timing + (repeat !== "0" ? `, repeat ${repeat}` : "") + (draw !== "0" ? `, draw ${draw}` : "") + (seam !== "1" ? `, seam ${seam}` : "");
  };
  const mine = prefixes.filter((p) => task(p) === task(prefix));
  const step = (by, label) => make("button", {
    type: "button", disabled: !prefixes[at + by], onclick: () => go({ prefix: prefixes[at + by] }),
  }, label);
  const models = DATA.sections.length < 2 ? null : select("model",
    DATA.sections.map((s, i) => [String(i), s.name]), String(section), (value) => go({ section: value }));
  return make("div", { class: "filters" }, models,
    select("task", [...new Set(prefixes.map(task))].map((t) => [t, t]), task(prefix),
      (value) => go({ prefix: prefixes.find((p) => task(p) === value) })),
    select("seam at", mine.map((p) => [p, shown(p)]), prefix, (value) => go({ prefix: value })),
    step(-1, "previous"), step(1, "next"));
}

function armTicks(here, hidden, go) {
  const arms = [...new Set(here.map((t) => t.arm))];
  return make("div", { class: "filters" }, ...arms.map((arm) => {
    const box = make("input", { type: "checkbox", onchange: () => {
      const without = arms.filter((a) => (a === arm ? !hidden.has(a) : hidden.has(a)));
      go({ without: without.join("\n") });
    } });
    box.checked = !hidden.has(arm);
    return make("label", { class: "tick" }, box, arm);
  }));
}

function factMatrix(trials) {
  const facts = new Map();
  for (const trial of trials) {
    DATA.heads[trial.head].forEach(([id, kind, turn], i) => {
      if (!facts.has(id)) facts.set(id, { kind, turn, says: id, codes: new Map() });
      const fact = facts.get(id);
      if (trial.says !== undefined && DATA.says[trial.says][id]) fact.says = DATA.says[trial.says][id];
      fact.codes.set(trial, Number(trial.facts[i]));
    });
  }
  if (!facts.size) return make("p", { class: "hint" }, "No fact is recorded for these trials.");
  const rows = [...facts.values()].map((fact) => [
    make("td", { class: "fact" }, fact.says), fact.kind, String(fact.turn ?? ""),
    ...trials.map((t) => factCell(fact.codes.get(t))),
  ]);
  return make("div", {},
    table(["fact or finished sub-goal", "kind", "said at turn", ...trials.map((t) => t.arm)], rows, "matrix"),
    make("p", { class: "note" }, "in view / lost: in the first view after the seam or not. obeyed / broken: in the window, where it gave occasion."));
}

function factCell(code) {
  if (code === undefined || Number.isNaN(code)) return make("td", { class: "mark2 dim" }, "n/a");
  const present = ["lost", "in view", "n/a"][code % 3];
  const use = ["", "obeyed", "broken"][Math.floor(code / 3)];
  return make("td", { class: "mark2" },
    make("span", { class: present === "lost" ? "bad" : "dim" }, present),
    use ? ", " : "", make("span", { class: use === "broken" ? "bad" : "good" }, use));
}

function itemMatrix(trials) {
  const told = (result) => {
    if (!result || result[0] === null || result[0] === undefined) return make("td", { class: "mark2 dim" }, "nothing established");
    if (!result[0]) return make("td", { class: "mark2 bad" }, "failed");
    return make("td", { class: result[1] ? "mark2 good" : "mark2 dim" }, result[1] ? "passed" : "no occasion");
  };
  const rows = DATA.items.map((item, i) => [item, ...trials.map((t) => (t.items ? told(t.items[i]) : "n/a"))]);
  rows.unshift([make("td", {}, make("strong", {}, "verdict")), ...trials.map(verdictMark)]);
  return table(["item", ...trials.map((t) => t.arm)], rows, "matrix");
}

function armColumn(trial, chosen) {
  const column = make("section", { class: chosen ? "arm chosen" : "arm", id: `trial-${trial.id}` },
    make("h3", {}, trial.arm), make("p", {}, verdictMark(trial), trial.reason ? ` (${trial.reason})` : ""),
    make("small", {}, make("a", { href: linkTo(trial) }, trial.id),
      trial.view[1] === null ? "" : ` view ${trial.view[0]} to ${trial.view[1]} tokens`));
  const evidence = (trial.items || []).flatMap((result, i) => result[2].map((e) => [DATA.items[i], ...e]));
  if (evidence.length) {
    column.append(make("h4", {}, "Evidence"), make("ul", {}, ...evidence.map(([item, turn, where, what, fact, mode]) =>
      make("li", {}, make("span", { class: "bad" }, `${item}: ${mode}`), ` at turn ${turn}: ${text(what)} `,
        make("code", {}, text(where)), fact ? make("small", {}, ` ${fact}`) : null))));
  }
  if (!trial.detail) {
    column.append(make("p", { class: "hint" }, "The transcript of this trial is not in the report."));
    return column;
  }
  const detail = trial.detail;
  column.append(make("h4", {}, "First view after the seam"));
  column.append(make("p", {}, detail.noop ? "Nothing was removed." : `${detail.kept} of the old messages kept.`));
  for (const [title, parts] of [["put in their place", detail.carried], ["injected", detail.injected]]) {
    for (const [role, number] of parts) {
      column.append(make("details", {}, make("summary", {}, `${title} (${role}, ${text(number).length} characters)`),
        make("pre", {}, text(number))));
    }
  }
  const shown = detail.turns.map(turnOf);
  column.append(...shown.flat());
  if (!shown.length) column.append(make("p", { class: "hint" }, "No turn was taken."));
  return column;
}

function turnOf([number, phase, say, asks, calls, files]) {
  const parts = [make("h4", {}, `Turn ${number}${phase === "work" ? "" : `, ${phase}`}`)];
  if (text(say)) parts.push(make("p", { class: "say" }, text(say)));
  for (const question of asks) parts.push(make("p", { class: "bad" }, `asks: ${text(question)}`));
  if (calls.length) {
    parts.push(make("ul", {}, ...calls.map(([tool, what, ok, back]) => make("li", {},
      make("code", {}, tool), ` ${text(what).split("\n")[0]}`, ok ? null : make("span", { class: "bad" }, " failed"),
      fold("in full", text(what), text(what).includes("\n")), fold("result", text(back), text(back))))));
  }
  for (const [path, change] of files) {
    const lines = text(change).split("\n").map((line) => make("span", {
      class: line[0] === "+" ? "add" : line[0] === "-" ? "del" : line.startsWith("@@") ? "dim" : null,
    }, `${line}\n`));
    parts.push(make("details", { open: lines.length <= 12 }, make("summary", {}, "changed ", make("code", {}, path)), make("pre", {}, ...lines)));
  }
  return parts;
}

function fold(title, content, wanted) {
  return wanted ? make("details", {}, make("summary", {}, make("small", {}, title)), make("pre", {}, content)) : null;
}

// ---- sorting of the tables that stand in the page

function sortable(head) {
  head.querySelectorAll("th").forEach((cell, column) => {
    cell.querySelector("button").addEventListener("click", () => {
      const down = cell.getAttribute("aria-sort") === "ascending";
      head.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      for (const body of head.parentNode.tBodies) sortRows(body, column, down ? -1 : 1);
    });
  });
}

function sortRows(body, column, sign) {
  const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
  const key = (row) => {
    const shown = row.cells[column].textContent.trim();
    const share = shown.match(/\((\d+)%\)/);
    const number = share ? Number(share[1]) : parseFloat(shown.replace(/^[<[]/, "").replace(/,(?=\d{3})/g, ""));
    return { shown, number };
  };
  const keys = new Map(rows.map((row) => [row, key(row)]));
  const known = (k) => k.shown !== "" && k.shown !== "n/a";
  rows.sort((a, b) => {
    const [x, y] = [keys.get(a), keys.get(b)];
    if (known(x) !== known(y)) return known(x) ? -1 : 1;
    const both = !Number.isNaN(x.number) && !Number.isNaN(y.number);
    return sign * (both ? x.number - y.number : x.shown.localeCompare(y.shown));
  });
  body.append(...rows);
}

// ---- which view the address names

function route() {
  const [path, query] = location.hash.slice(2).split("?");
  const deep = location.hash.startsWith("#/");
  const view = deep && VIEWS.includes(path) ? path : "report";
  for (const name of VIEWS) document.getElementById(name).hidden = name !== view;
  document.querySelectorAll("header nav a").forEach((link) => {
    const target = link.getAttribute("href").replace(/^#\/?/, "");
    if (target === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
  if (view === "trials") drawTrials(new URLSearchParams(query));
  if (view === "seam") drawSeam(new URLSearchParams(query));
  if (view !== "report") { scrollTo(0, 0); return; }
  const target = deep ? null : document.getElementById(location.hash.slice(1));
  if (target && target.tagName === "DETAILS") target.open = true;
  if (target && target.id !== "report") target.scrollIntoView();
}

document.querySelectorAll("thead").forEach(sortable);
addEventListener("hashchange", route);
route();
