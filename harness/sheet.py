"""A sheet of trials to judge as one HTML page, for who would rather not use a spreadsheet.

Opens from disk and needs no network. Its button saves the answers in the form of the CSV sheet.
"""

from __future__ import annotations

from collections.abc import Sequence

import jinja2

TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trials to judge</title>
<style>
body { font: 16px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f5f6f8; padding: .6rem; }
fieldset { border: 1px solid #c8ccd2; margin: .6rem 0; }
legend { font-weight: 600; }
label { display: inline-block; margin-right: 1.2rem; }
h2 { border-top: 2px solid #444; padding-top: .8rem; }
header { position: sticky; top: 0; background: #fff; padding: .5rem 0; }
textarea { width: 100%; font: inherit; }
</style>
</head>
<body>
<header><button type="button" id="save">Save the answers</button> <span id="count"></span></header>
<h1>Trials to judge</h1>
<p>What was established before the cut, and what was done after it. {{ question }}.</p>
{% for case in cases %}
<section data-case="{{ case[0] }}">
<h2 id="case-{{ case[0] }}">Case {{ case[0] }}: {{ case[1] }}</h2>
{% for name, text in zip(columns[2:], case[2:]) %}
<h3>{{ name }}</h3>
<pre>{{ text }}</pre>
{% endfor %}
{% for name, told in judged %}
<fieldset><legend>{{ name }}</legend><p>{{ told }}</p>
{% for answer in ("yes", "no", "") %}
<label><input type="radio" name="{{ case[0] }}-{{ name }}" value="{{ answer }}"\
{{ " checked" if not answer }}> {{ answer or "cannot tell" }}</label>
{% endfor %}
</fieldset>
{% endfor %}
<label for="remarks-{{ case[0] }}">remarks</label>
<textarea id="remarks-{{ case[0] }}" rows="2"></textarea>
</section>
{% endfor %}
<script>
"use strict";
const NAMES = {{ judged | map("first") | list | tojson }};
const FILE = {{ file | tojson }};
const quote = (text) => '"' + text.replaceAll('"', '""') + '"';
const answer = (id, name) => document.querySelector(`input[name="${id}-${name}"]:checked`).value;
function rows() {
  return [...document.querySelectorAll("section")].map((part) => {
    const id = part.dataset.case;
    return [id, ...NAMES.map((name) => answer(id, name)), part.querySelector("textarea").value];
  });
}
function tell() {
  const done = rows().filter((row) => row.slice(1, -1).some((text) => text)).length;
  document.getElementById("count").textContent = `${done} of ${rows().length} cases judged`;
}
document.addEventListener("change", tell);
document.getElementById("save").addEventListener("click", () => {
  const lines = [["case", ...NAMES, "remarks"], ...rows()].map((row) => row.map(quote).join(","));
  const blob = new Blob(["\\ufeff" + lines.join("\\r\\n") + "\\r\\n"], { type: "text/csv" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = FILE;
  link.click();
});
tell();
</script>
</body>
</html>
"""


def html_sheet(
    columns: Sequence[str],
    cases: Sequence[Sequence[object]],
    judged: Sequence[tuple[str, str]],
    question: str,
    file: str,
) -> str:
    """The page. cases: as `columns` name them, the case's number first. judged: name of a verdict
    and what it asks. file: name under which answers are saved."""
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    environment.globals["zip"] = zip
    return environment.from_string(TEMPLATE).render(
        columns=columns, cases=cases, judged=judged, question=question, file=file
    )
