"""The page's template (Jinja, autoescaped)."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What the compactions lost</title>
<style>
:root { --ink: #1d2129; --soft: #5d6675; --line: #d8dde5; --bg: #fff; --box: #f6f7f9;
  --lost: #b3261e; --kept: #1b7f3b; --unclear: #8a6100; --unread: #5d6675; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7ec; --soft: #a0a8b5; --line: #3a404b;
  --bg: #16181c; --box: #1f2228; --lost: #ff8a80; --kept: #7bd88f; --unclear: #e6c15c;
  --unread: #a0a8b5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1180px; padding: 24px; color: var(--ink); background: var(--bg);
  font: 15px/1.5 system-ui, "Noto Sans", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei",
  sans-serif; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 36px 0 8px; }
h3 { font-size: 16px; margin: 22px 0 6px; overflow-wrap: anywhere; }
.soft { color: var(--soft); } .lost { color: var(--lost); } .kept { color: var(--kept); }
.unclear { color: var(--unclear); } .unread { color: var(--unread); }
table { border-collapse: collapse; margin: 6px 0; } .wide { overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: 4px 12px 4px 0;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; white-space: nowrap; } td.n { text-align: right; }
td.text { overflow-wrap: anywhere; min-width: 220px; }
svg { width: 100%; height: 46px; display: block; }
.session { border-top: 2px solid var(--line); margin-top: 26px; padding-top: 4px; }
details { margin: 8px 0; } summary { cursor: pointer; font-weight: 600; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 14px; }
.side { background: var(--box); border-radius: 6px; padding: 10px 12px; max-height: 560px;
  overflow: auto; overflow-wrap: anywhere; }
.side p { white-space: pre-wrap; margin: 0 0 10px; } .who { font-size: 12px; color: var(--soft); }
@media (max-width: 760px) { .sides { grid-template-columns: 1fr; } body { padding: 12px; } }
</style>
</head>
<body>
<h1>What the compactions lost</h1>
<p class="soft">{{ result.read }} of {{ result.files|length }} files read,
{{ result.sessions|length }} sessions, {{ result.seams|length }} compactions. A fact is kept where
one sentence of the new view holds its names, its numbers and most of its words; a paraphrase in
other words is not seen, and is <span class="unclear">unclear</span> or
<span class="lost">lost</span> here.</p>

{% if not result.seams %}<p>No compaction was found.</p>{% else %}
<h2>By kind of fact</h2>
<div class="wide"><table>
<tr><th>kind</th><th>established</th><th>kept</th><th>lost</th><th>unclear</th>
<th>cannot be read</th><th>share kept</th></tr>
{% for row in kinds %}<tr><td>{{ row.kind }}</td><td class="n">{{ row.established }}</td>
<td class="n kept">{{ row.kept }}</td><td class="n lost">{{ row.lost }}</td>
<td class="n unclear">{{ row.unclear }}</td><td class="n unread">{{ row.unread }}</td>
<td>{{ row.share_kept|share(row.interval) }}</td></tr>
{% endfor %}</table></div>

<h2>In the next responses</h2>
<div class="wide"><table>
<tr><th>sign</th><th>within 3</th><th>within {{ long }}</th><th>maybe</th><th>cannot be told</th>
<th>share within {{ long }}</th></tr>
{% for row in measures %}{% set can = row.seams - row["cannot be told"] %}
<tr><td>{{ row.measure|replace("_", " ") }}</td><td class="n">{{ row["yes within 3"] }}</td>
<td class="n">{{ row["yes within 10"] }}</td><td class="n">{{ row["maybe within 10"] }}</td>
<td class="n">{{ row["cannot be told"] }}</td>
<td>{{ (row["yes within 10"] / can if can else none)|share(row["interval within 10"]) }}</td></tr>
{% endfor %}</table></div>

{% for name, rows in groups.items() %}
<details{% if loop.first %} open{% endif %}><summary>By {{ name }}</summary>
<div class="wide"><table>
<tr><th>{{ name }}</th><th>seams</th><th>sessions</th><th>unreadable</th><th>facts</th>
<th>share kept</th><th>seams with a sign</th></tr>
{% for row in rows %}<tr><td class="text">{{ row[name] }}</td><td class="n">{{ row.seams }}</td>
<td class="n">{{ row.sessions }}</td><td class="n">{{ row.unreadable }}</td>
<td class="n">{{ row.facts }}</td><td>{{ row.share_kept|share(row.interval) }}</td>
<td>{{ row["with a sign"] }} of {{ row.of }}</td></tr>
{% endfor %}</table></div></details>
{% endfor %}
<p class="soft">{{ noted }}</p>

{% if literal %}<h2>Letter by letter</h2>
<div class="wide"><table>
<tr><th>agent</th><th>summaries</th>{% for name in counted %}<th>{{ name }}</th>{% endfor %}</tr>
{% for row in literal %}<tr><td class="text">{{ row.agent }}</td><td class="n">{{ row.seams }}</td>
{% for name in counted %}<td>{{ of(*row[name]) }}</td>{% endfor %}</tr>
{% endfor %}</table></div>
<p class="soft">{{ literally|capitalize }}</p>{% endif %}

<h2>Sessions</h2>
{% if hidden %}<p class="soft">{{ hidden }} seams with the fewest lost facts are left out here; the
rates count them, and --json has them.</p>{% endif %}
{% for session in sessions %}
<section class="session">
<h3>{{ session.id }}</h3>
<p class="soft">{{ session.agent }} {{ session.version }} {{ session.model }} &middot;
{{ session.turns }} responses, {{ session.user_messages }} user messages &middot;
{{ session.file }}</p>
<svg viewBox="-8 0 {{ session.width + 16 }} 46" preserveAspectRatio="none" role="img"
 aria-label="The session from left to right, its seams and the signs after them">
<line x1="0" y1="30" x2="{{ session.width }}" y2="30" stroke="currentColor" stroke-width="2"/>
{% for x in session.ticks %}<line x1="{{ x }}" y1="24" x2="{{ x }}" y2="36" stroke="currentColor"
 opacity=".45"><title>the user speaks</title></line>
{% endfor %}{% for seam in session.marks %}<a href="#{{ loop.index }}-{{ seam.name|urlencode }}">
<line x1="{{ seam.x }}" y1="6" x2="{{ seam.x }}" y2="42" stroke="var(--lost)" stroke-width="4">
<title>seam {{ seam.seam }}: {{ seam.words.lost }} lost</title></line></a>
{% for x in seam.dots %}<circle cx="{{ x }}" cy="14" r="4" fill="var(--unclear)"/>
{% endfor %}{% endfor %}</svg>
{% for seam in session.marks %}
<h3 id="{{ loop.index }}-{{ seam.name|urlencode }}">Seam {{ seam.seam }}
<span class="soft">after response {{ seam.turn }}, {{ seam.trigger }} trigger
{%- if seam.tokens_before %}, {{ seam.tokens_before }} tokens before{% endif %}
{%- if seam.tokens_after %}, {{ seam.tokens_after }} after{% endif %}</span></h3>
<p><span class="lost">{{ seam.words.lost }} lost</span>,
<span class="unclear">{{ seam.words.unclear }} unclear</span>,
{% if seam.unread %}<span class="unread">{{ seam.words.unread }} cannot be told
({{ seam.unread }})</span>,{% endif %}
<span class="kept">{{ seam.words.kept }} kept</span>
{%- if seam.gone_before %}; {{ seam.gone_before }} facts were gone before{% endif %}
{%- if seam.copy_of %}; a copy of {{ seam.copy_of }}{% endif %}.
{% for note in seam.notes %}{{ note|capitalize }}. {% endfor %}</p>
{% for word in ("lost", "unclear", "unread", "kept") %}
{% set chosen = seam.sorted_facts|selectattr("verdict", "equalto", word)|list %}
{% if chosen %}<details{% if word == "lost" %} open{% endif %}>
<summary class="{{ word }}">{{ chosen|length }} {{ word }}</summary>
<div class="wide"><table><tr><th>kind</th><th>as it was said</th><th>by</th><th>line</th>
<th>{% if word == "kept" %}in the new view{% elif word != "lost" %}why{% endif %}</th></tr>
{% for fact in chosen %}<tr><td>{{ fact.kind }}{% if fact.note %} &middot;
<span class="soft">{{ fact.note|replace("_", " ") }}</span>{% endif %}</td>
<td class="text">{% if fact.kind in ("path", "command") %}<code>{{ fact.text }}</code>
{% else %}{{ fact.sentence or fact.text }}{% endif %}</td>
<td>{{ fact.by }}</td><td class="n">{{ fact.line or "" }}</td>
<td class="text soft">{{ fact.why }}{% if fact.why and fact.found %}: {% endif %}
{{ fact.found }}</td></tr>
{% endfor %}</table></div></details>{% endif %}
{% endfor %}
{% if seam.findings %}<div class="wide"><table>
<tr><th>response</th><th>sign</th><th>sure</th><th>what</th><th>goes back to</th><th>line</th></tr>
{% for finding in seam.findings %}<tr><td class="n">{{ finding.turn }}</td>
<td>{{ finding.measure }}</td><td>{{ finding.confidence }}</td>
<td class="text">{{ finding.what }}</td><td class="text soft">{{ finding.before }}</td>
<td class="n">{{ finding.line }}</td></tr>
{% endfor %}</table></div>
{% else %}<p class="soft">No sign after it; responses seen: {{ seam.turns_after }}.</p>{% endif %}
{% if seam.cannot %}<details><summary class="soft">What cannot be told</summary><ul>
{% for name, why in seam.cannot.items() %}<li>{{ name }}: {{ why }}</li>{% endfor %}</ul>
</details>{% endif %}
<details><summary>Before and after, side by side</summary><div class="sides">
{% for title, said in (("Before: the newest messages", seam.before),
("After: the view that replaced them", seam.after)) %}<div class="side"><strong>{{ title }}</strong>
{% for one in said %}<div class="who">{{ one.role }}, response {{ one.turn }}</div>
<p>{{ one.text }}</p>{% else %}<p class="soft">Nothing that can be read.</p>{% endfor %}</div>
{% endfor %}</div></details>
{% endfor %}</section>
{% endfor %}{% endif %}

{% if result.files|selectattr("reason")|list or result.files|selectattr("damaged")|list %}
<h2>Files not read, and damage</h2>
<div class="wide"><table>{% for file in result.files if file.reason or file.damaged %}
<tr><td class="text">{{ file.path }}</td><td class="text">{{ file.reason }}
{% if file.damaged %}{{ file.damaged }} damaged records: {{ file.damage|join("; ") }}{% endif %}
</td></tr>{% endfor %}</table></div>{% endif %}
</body>
</html>
"""
