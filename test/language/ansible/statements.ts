/** Whole texts with Jinja's statements and comments. A line each; ⏎ is a line break. */
export const STATEMENTS = String.raw`
{% if canary %}yes{% else %}no{% endif %}
{% if n == 5 %}five{% endif %}
{% if n == 4 %}four{% endif %}
x{% if n == 4 %}four{% endif %}
{% if n == 4 %}four{% elif n == 5 %}five{% elif n %}other{% else %}none{% endif %}
{% if n == 4 %}four{% elif n == 6 %}six{% else %}none{% endif %}
{% if missing is defined %}a{% else %}b{% endif %}
{% if missing %}a{% else %}b{% endif %}
{% if not canary and regions %}{{ env }}{% endif %}
{% if canary %}a{% if n %}b{% endif %}{% else %}c{% if n %}d{% else %}e{% endif %}{% endif %}
{%if canary%}a{%else%}b{%endif%}
{% if "%}" == "%}" %}a{% endif %}
{% if 'a' in {'a': 1} %}in{% endif %}
{% if {'a': {'b': 1}}['a']['b'] == 1 %}deep{% endif %}
{% if env == "prod" -%} a {%- else -%} b {%- endif %} c
{% if n > 3 %}{{ n }}{% endif %}
{% if n > 3 %}{{ regions }}{% endif %}
{% if n > 3 %}{{ config }}{% endif %}
{% if n > 3 %}[1, {{ n }}]{% endif %}
{% if n > 3 %} [1, {{ n }}]{% endif %}
{% if n > 3 %}[1, {{ n }}]{% endif %} 
{% if n > 3 %}[1, {{ env }}]{% endif %}
{% if n > 3 %}[1, true, null, None, False]{% endif %}
{% if n > 3 %}{'a': 1, "b": [{{ n }}]}{% endif %}
{% if n > 3 %}{"a": {{ n }}}{% endif %}
{% if n > 3 %}True{% endif %}
{% if n > 3 %}true{% endif %}
{% if n > 3 %}{{ n > 3 }}{% endif %}
{% if n > 3 %}{{ canary }}{% else %}x{% endif %}
{% if n > 3 %}None{% endif %}
{% if n > 3 %}5{% endif %}
{% if n > 3 %}"5"{% endif %}
{% if n > 3 %}(1, 2){% endif %}
{% if n > 3 %}{}{% endif %}
{% if n > 3 %}[]{% endif %}
{% if n > 3 %}{{ nothing }}{% endif %}
{% if n < 3 %}x{% endif %}
{% for r in regions %}{{ r }},{% endfor %}
{% for r in regions %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }};{% endfor %}
{% for r in regions %}{{ loop.previtem | default("-") }}<{{ r }}>{{ loop.nextitem | default("-") }} {% endfor %}
{% for r in regions %}{{ loop.cycle("odd", "even") }} {% endfor %}
{% for s in servers %}{% if loop.changed(s.zone) %}{{ s.zone }}{% endif %}{{ s.name }}{% endfor %}
{% for s in servers %}{{ loop.changed(s.zone, s.name) }}{% endfor %}
{% for r in regions %}{{ r }}{% if not loop.last %}, {% endif %}{% endfor %}
{% for r in regions if r != "us" %}{{ loop.index }}/{{ loop.length }}{{ r }} {% endfor %}
{% for r in regions if r == "xx" %}{{ r }}{% else %}none{% endfor %}
{% for r in [] %}{{ r }}{% else %}none{% endfor %}
{% for r in regions %}{{ r }}{% else %}none{% endfor %}
{% for k in config %}{{ k }} {% endfor %}
{% for k, v in config.items() %}{{ k }}={{ v }} {% endfor %}
{% for k, v in config | dictsort %}{{ k }}={{ v }} {% endfor %}
{% for (k, v) in config.items() %}{{ k }} {% endfor %}
{% for i, (k, v) in [[1, ["a", "b"]], [2, ["c", "d"]]] %}{{ i }}{{ k }}{{ v }} {% endfor %}
{% for (a, b), c in [[[1, 2], 3]] %}{{ a }}{{ b }}{{ c }}{% endfor %}
{% for a, b in [[1, 2, 3]] %}{{ a }}{% endfor %}
{% for a, b in ["xy", "zw"] %}{{ a }}-{{ b }} {% endfor %}
{% for c in "abc" %}{{ c }}.{% endfor %}
{% for c in n %}{{ c }}.{% endfor %}
{% for c in nothing %}{{ c }}.{% endfor %}
{% for c in missing %}{{ c }}.{% endfor %}
{% for c in missing | default([]) %}{{ c }}.{% endfor %}
{% for c in config.nope %}{{ c }}.{% endfor %}
{% for i in range(3) %}{{ i }}{% endfor %}
{% for i in 1, 2, 3 %}{{ i }}{% endfor %}
{% for i in (1, 2) %}{{ i }}{% endfor %}
{% for i in regions + ["x"] %}{{ i }}{% endfor %}
{% for i in (regions if canary else words) %}{{ i }}{% endfor %}
{% for i in regions | sort | reverse %}{{ i }}{% endfor %}
{% for s in servers %}{% for t in s.tags | default([]) %}{{ s.name }}{{ t }}{{ loop.index }} {% endfor %}{{ loop.index }}{% endfor %}
{% for s in servers %}{% set outer = loop %}{% for r in regions %}{{ outer.index }}{{ loop.index }} {% endfor %}{% endfor %}
{% for s in servers if s.tls is defined %}{{ s.name }}{% endfor %}
{% for s in servers %}{{ s.tls | default("no") }} {% endfor %}
{% for s in servers %}{{ s.tls }} {% endfor %}
{% for s in servers | selectattr("zone", "eq", "z2") %}{{ s.name }}{% endfor %}
{% for zone, members in servers | groupby("zone") %}{{ zone }}:{% for m in members %}{{ m.name }}{% endfor %} {% endfor %}
{% for x in regions %}{% for x in words %}{{ x }}{% endfor %}{{ x }} {% endfor %}
{% for x in regions %}{% endfor %}{{ x }}
{% for n in regions %}{{ n }}{% endfor %}{{ n }}
{% for s in servers %}{{ loop.index }}{% endfor %}{{ loop.index }}
{% for x in regions if loop.index == 1 %}{{ x }}{% endfor %}
{% for x in [1, [2, [3]]] recursive %}{{ x if x is number else "(" ~ loop(x) ~ ")" }}{% endfor %}
{% for x in [1, [2, [3]]] recursive %}{% if x is number %}{{ x }}@{{ loop.depth }}{{ loop.depth0 }}{% else %}{{ loop(x) }}{% endif %}{% endfor %}
{% for x in regions if x != "us" recursive %}{{ x }}{% endfor %}
{% for item in regions %}"{{ item }}"{{ "," if not loop.last }}{% endfor %}
[{% for item in regions %}"{{ item }}"{{ "," if not loop.last }}{% endfor %}]
{ {% for k in config %}"{{ k }}": 1{{ "," if not loop.last }}{% endfor %} }
{{ "{" }}{% for k in config %}"{{ k }}": 1{{ "," if not loop.last }}{% endfor %}{{ "}" }}
{% set x = 1 %}{{ x }}
{% set x = 1 %}{% set x = x + 1 %}{{ x }}
{% set x = regions %}{{ x }}
{% set x = regions %}{{ x | length }}
{% set x, y = 1, 2 %}{{ x }}{{ y }}
{% set x = 1, 2 %}{{ x[1] }}
{% set x, y = regions[:2] %}{{ x }}{{ y }}
{% set x, y = regions %}{{ x }}{{ y }}
{% set x = missing %}ok
{% set x = missing %}{{ x }}
{% set x = missing %}{{ x | default("d") }}
{% set x = missing %}{{ x.y.z is defined }}
{% set x = n if n > 9 else 9 %}{{ x }}
{% set x = n if n > 9 %}[{{ x }}]
{% set env = "local" %}{{ env }}
{% set x = env %}{% set env = "local" %}{{ x }}{{ env }}
{% if canary %}{% set x = 1 %}{% else %}{% set x = 2 %}{% endif %}{{ x }}
{% if canary %}{% set x = 1 %}{% endif %}{{ x | default("unset") }}
{% set x = 0 %}{% for r in regions %}{% set x = x + 1 %}{{ x }}{% endfor %}{{ x }}
{% for r in regions %}{% if loop.first %}{% set x = r %}{% endif %}{{ x | default("-") }} {% endfor %}
{% set x = "o" %}{% for r in regions %}{% if loop.first %}{% set x = r %}{% endif %}{{ x }} {% endfor %}
{% for r in regions %}{% set y = r %}{% endfor %}{{ y | default("gone") }}
{% for r in regions %}{% set r = "x" %}{{ r }}{% endfor %}
{% for r in regions %}{{ z | default("none") }}{% set z = r %}{{ z }} {% endfor %}
{% set ns = namespace(found=false) %}{% for r in regions %}{% if r == "us" %}{% set ns.found = true %}{% endif %}{% endfor %}{{ ns.found }}
{% set ns = namespace(total=0, names=[]) %}{% for s in servers %}{% set ns.total = ns.total + s.port %}{% set ns.names = ns.names + [s.name] %}{% endfor %}{{ ns.total }}{{ ns.names | join(",") }}
{% set ns = namespace() %}{% set ns.a = 1 %}{{ ns.a }}{{ ns.b | default("d") }}
{% set ns = namespace(a=1) %}{{ ns.b }}
{% set env.x = 1 %}
{% set ns = namespace(a=1) %}{% set ns.a = ns.a + n %}{{ ns["a"] }}
{% set x %}a{{ n }}b{% endset %}{{ x }}|{{ x | upper }}
{% set x | upper %}ab{% endset %}{{ x }}
{% set x | replace("a", "c") | upper %}ab{% endset %}{{ x }}
{% set x %}{% for r in regions %}{{ r }}{% endfor %}{% endset %}{{ x | length }}
{% set x %}{% set y = 1 %}{{ y }}{% endset %}{{ x }}{{ y | default("gone") }}
{% set x %}[1, 2]{% endset %}{{ x | length }}
{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}{{ a | default("gone") }}
{% with %}{% set a = 1 %}{{ a }}{% endwith %}{{ a | default("gone") }}
{% with n = 1, m = n %}{{ n }}{{ m }}{% endwith %}{{ n }}
{% raw %}{{ x }}{% endraw %}
{% raw %}{{ x }} {% if %} {# c #}{% endraw %}{{ n }}
a {%- raw -%} {{ x }} {%- endraw -%} b
{% raw %}⏎{{ x }}⏎{% endraw %}⏎b
{% raw -%}⏎ x⏎{%- endraw %}⏎b
{#- comment -#} x
a {# comment #} b
a {#- comment -#} b
a{# {{ x }} {% if %} #}b
{# comment #}x
{# comment #}{{ regions }}
{# comment #}{{ n }}
{# a #}⏎{# b #}⏎x
{# a #}⏎{{ config }}⏎
a⏎{# comment #}⏎b
a⏎  {# comment #}  ⏎b
{% if n %}⏎a⏎{% endif %}⏎b
{% if n %}⏎a⏎{% endif %}⏎
{% if n %}a{% endif %}⏎
{% if n %}a{% endif %}⏎⏎
{% if n %}a{% endif %}⏎⏎⏎
{% if zero %}a{% endif %}⏎
{% if zero %}a{% endif %}⏎⏎
{% if n %}⏎  a⏎{% else %}⏎  b⏎{% endif %}⏎c⏎
a⏎  {% if n %}⏎  b⏎  {% endif %}⏎c
a⏎  {%- if n %}⏎  b⏎  {%- endif %}⏎c
a⏎  {%+ if n %}⏎  b⏎  {%+ endif %}⏎c
a⏎{% if n +%}⏎b⏎{% endif +%}⏎c
a⏎{% if n -%}⏎⏎  b⏎⏎{%- endif -%}⏎⏎c
{% for r in regions %}⏎- {{ r }}⏎{% endfor %}⏎
{% for r in regions -%}⏎{{ r }}{% if not loop.last %},{% endif %}⏎{%- endfor %}
{%- for r in regions -%}⏎  {{ r }}⏎{%- endfor -%}
{% set x = 1 %}⏎{% set y = 2 %}⏎{{ x + y }}
{% set x = 1 -%}⏎⏎{{ x }}
  {{- n }}  {%- if n %} {{ n -}} {% endif %}
{{ n -}} ⏎ {%- if n %}x{% endif %}
{%- if n -%} {{- n -}} {%- endif -%}
{% if n %}{{ multiline_spaced }}{% endif %}⏎
{% if n %}{{ multiline_spaced }}{% endif %}⏎⏎
{{ multiline_spaced }}⏎
{{ n }}⏎
{{ n }} x⏎⏎
#jinja2: trim_blocks: False⏎{% if n %}⏎a⏎{% endif %}⏎b
#jinja2: lstrip_blocks: True⏎a⏎  {% if n %}⏎  b⏎  {% endif %}⏎c
#jinja2: trim_blocks: False, lstrip_blocks: True⏎a⏎  {% if n %}⏎  b⏎  {% endif %}⏎c
#jinja2:trim_blocks:False,lstrip_blocks:True⏎  {# c #}⏎  {% if n %}b{% endif %}⏎ x {% if n %}⏎c{% endif %}
#jinja2: lstrip_blocks: True⏎a⏎  {%+ if n %}⏎b⏎ {{ n }}{% endif %}
#jinja2: lstrip_blocks: True⏎ {% raw %} {{ x }}⏎  {% endraw %}⏎c
{% set s = "a\\d" %}{{ s }}
{% set s = "a\d" %}{{ s }}
{% set s = "a\n" %}{{ s | length }}
{{ "a\n" | length }}{% set s = "a\n" %}{{ s | length }}
{% if "a1" is match("a\\d") %}yes{% endif %}
{% if "a1" is match("a\d") %}yes{% endif %}
{% for m in "a1b2" | regex_findall("\\d") %}{{ m }}{% endfor %}
{{ "{% if x %}" }}{% if n %}y{% endif %}
{{ "{#" }}{# c #}{{ "#}" }}
{% if n %}{{ "%}" }}{% endif %}
{% if n %}}{% endif %}
{ {% if n %}x{% endif %}}
{{ n }}{% if n %}}}{% endif %}
\{% if n %}x{% endif %}
\\{% if n %}x{% endif %}
x\{# c #}y
{% if regions | length > 2 and "eu" in regions %}many{% endif %}
{% if regions is iterable and env is not none %}a{% endif %}
{% if config.a is defined %}{{ config.a | upper }}{% endif %}
{% if not missing | default(false) %}off{% endif %}
{% if (n > 3 and canary) or env == "prod" %}a{% endif %}
{% for h in groups["all"] %}{{ h }} {{ hostvars[h].inventory_hostname }}{% endfor %}
{% for s in servers %}{{ s.name }}:{{ s.port }}{% if s.tls | default(false) %} ssl{% endif %}{{ ";" if not loop.last else "" }}{% endfor %}
{%- set parts = [] -%}{%- for r in regions -%}{{ r }}{{ "" if loop.last else "-" }}{%- endfor -%}
{% set d = {"a": 1} %}{% for k, v in (d | combine({"b": 2})).items() %}{{ k }}{{ v }}{% endfor %}
{% set names = servers | map(attribute="name") | list %}{{ names | join("+") }}
{{ nested }}{% if n %}{{ nested_text }}{% endif %}
{% if n %}{{ missing }}{% endif %}
{% if zero %}{{ missing }}{% endif %}
{% for r in regions %}{{ missing }}{% endfor %}
{% if n %}
{% for r in regions %}x
{% endif %}
{% else %}
{% endfor %}
{% if n %}a{% endfor %}
{% for r in regions %}a{% endif %}
{% if n %}a{% else %}b{% else %}c{% endif %}
{% if n %}a{% else %}b{% elif n %}c{% endif %}
{% if %}a{% endif %}
{% if n n %}a{% endif %}
{% for r regions %}a{% endfor %}
{% for in regions %}a{% endfor %}
{% for r in %}a{% endfor %}
{% set %}
{% set x = %}
{% set x %}a
{% with a %}x{% endwith %}
{% fi n %}a{% endfi %}
{% if n
{% if n }}
{% raw %}x
{% break %}
{% for r in regions %}{% break %}{% endfor %}
{% do regions %}
{% for r in regions %}{% if n %}{{ r }}{% endfor %}{% endif %}
{% for r in [] %}{% else %}{% set x = 1 %}{{ x }}{% endfor %}{{ x | default("gone") }}
{% set l = [] %}{% for r in regions %}{% set _ = l.append(r | upper) %}{% endfor %}{{ l | join(",") }}
{% set l = [] %}{% for r in regions %}{% if l.append(r) %}{% endif %}{% endfor %}{{ l }}
{% set l = [] %}{{ l.append(n) }}{{ l.append(1) or "" }}{{ l | length }}
{% set l = [1] %}{% set m = l %}{% set _ = l.append(2) %}{% set _ = m.append(3) %}{{ l | join }} {{ m | join }}
{% set l = [] %}{% set _ = l.extend(regions) %}{% set _ = l.extend([n]) %}{% set _ = l.extend("ab") %}{{ l | join(" ") }}
{% set l = [1, 2, 3] %}{% set _ = l.insert(0, n) %}{% set _ = l.insert(-1, 8) %}{% set _ = l.insert(99, 9) %}{{ l | join(" ") }}
{% set l = [1, 2, 3] %}{{ l.pop() }}{{ l.pop(0) }}{{ l | join }}
{% set l = [1, 2, 1] %}{% set _ = l.remove(1) %}{{ l | join }}
{% set l = [1] %}{% set _ = l.remove(4) %}
{% set l = [] %}{{ l.pop() }}
{% set l = [1] %}{{ l.pop(-2) }}
{% set d = {} %}{% set _ = d.update({"a": n, "b": 1}) %}{% set _ = d.update({"b": 2}) %}{{ d }}
{% set d = {"z": 0} %}{% for r in regions %}{% set _ = d.update({r: loop.index}) %}{% endfor %}{{ d }}
{% set d = {} %}{% set _ = d.update(a=n) %}{% set _ = d.update([["b", 2]]) %}{{ d }}
{% set d = {} %}{% for r in regions %}{% set _ = d.setdefault(r[0], []).append(r) %}{% set _ = d.setdefault("all", []).append(n) %}{% endfor %}{{ d }}
{% set d = {"a": [1]} %}{{ d.setdefault("a", 5) | join }}{{ d.setdefault("b") }}{{ d.keys() | join }}
{% set d = {"a": 1, "b": 2} %}{{ d.pop("a") }}{{ d.pop("c", 7) }}{{ d }}
{% set d = {"a": 1} %}{{ d.pop("c") }}
{% set d = {"a": {"b": []}} %}{% set _ = d.a.b.append(1) %}{% set _ = d["a"].update({"c": 2}) %}{% set _ = d.a["b"].append(n) %}{{ d }}
{% set d = {} %}{% for r in regions %}{% set _ = d.update({r: []}) %}{% set _ = d[r].append(n) %}{% endfor %}{{ d }}
{% set l = [{}, {}] %}{% set _ = l[0].update({"a": 1}) %}{% set _ = l[-1].update({"b": 2}) %}{{ l }}
{% set ns = namespace(l=[], d={}) %}{% for r in regions %}{% set _ = ns.l.append(r) %}{% set _ = ns.d.update({r: n}) %}{% endfor %}{{ ns.l | join }} {{ ns.d.keys() | join }}
{% set mine = regions | list %}{% set _ = mine.append("me") %}{{ mine | join(",") }}
{% set mine = config %}{% set _ = mine.update({"z": 1}) %}{{ mine.keys() | join(",") }}
{% set l = [] %}{% for r in regions %}{% set x = {"r": r} %}{% set _ = x.update({"i": loop.index}) %}{% set _ = l.append(x) %}{% endfor %}{{ l }}
{% set l = [[1], [2]] %}{% for x in l %}{% set y = x %}{% set _ = l.append(3) if loop.index == 5 %}{% endfor %}{{ l }}
{% set a = [1] %}{% set b = [a] %}{% set _ = b.append(a) %}{{ b }}
{% set l = [] %}{% set _ = l.append([]) %}{% set _ = l[0].append(1) %}{{ l }}
{% set l = "text" %}{% set _ = l.append(1) %}
{% set l = [] %}{% set _ = l.update({"a": 1}) %}
{% set d = {} %}{% set _ = d.append(1) %}
{% set l = [] %}{% set _ = l.append() %}
{%- set out = [] -%}⏎{%- for r in regions -%}⏎{%-   set _ = out.append(r) -%}⏎{%- endfor -%}⏎{{ out }}
{%- set out = {} -%}{%- for r in regions -%}{%- set _ = out.update({r: r | length}) -%}{%- endfor -%}{{ out | to_json }}
{{ n -}}⏎⏎
{{ env -}} ⏎
{{- env }}⏎
{% set comma = joiner() %}{% for r in regions %}{{ comma() }}{{ r }}{% endfor %}
{% set comma = joiner("; ") %}{% for r in regions %}{{ comma() }}{{ r }}{% endfor %}{{ comma() }}!
{% set a = joiner("|") %}{% set b = joiner("-") %}{{ a() }}{{ b() }}{{ a() ~ b() }}
{% with pipe = joiner("|") %}{% for r in regions %}{% if not loop.last %}{{ pipe() }}{{ r }}{% endif %}{% endfor %}{% endwith %}
{% set comma = joiner() %}{{ comma }}{{ comma(1) }}
{% set row = cycler("odd", "even") %}{% for r in regions %}{{ row.next() }}={{ row.current }} {% endfor %}
{% set row = cycler("a", "b", "c") %}{{ row.next() }}{{ row.next() }}{% set _ = row.reset() %}{{ row.next() }}
{% set row = cycler(1, 2) %}{% for r in regions %}{% for i in [1, 2] %}{{ row.next() }}{% endfor %}{{ row.next() }};{% endfor %}
{% set row = cycler() %}{{ row.next() }}
{% set row = cycler("a") %}{{ row.nothing | default("-") }}{{ row.next() }}{{ row.next() }}
{% for r in regions %}{{ comma() }}{% endfor %}
{{ lookup("template", "square.j2") }}{% if n %}{% endif %}
{{ lookup("template", "latex.j2") }}{% if n %}{% endif %}
{{ lookup("template", "slash.j2") }}{% if n %}{% endif %}
{{ lookup("template", "percent.j2", variable_start_string="[%", variable_end_string="%]") }}{% if n %}{% endif %}
{{ lookup("template", "percent.j2", comment_start_string="[#", comment_end_string="#]") }}{% if n %}{% endif %}
{{ lookup("template", "percent.j2", block_start_string="[#") }}{% if n %}{% endif %}
{% set ns = namespace (x = 1) %}{% set ns . x = d ['k'] %}{{ ns . x }}
{% set row = cycler ("a", "b") %}{{ row . next () }}{{ row . next () }}
{% set sep = joiner ("+") %}{{ sep () }}a{{ sep () }}b
{% for k , v in d . items () %}{{ k }}{{ loop . index }}{{ loop . cycle ("a", "b") }}{% endfor %}
{% for x in d ['list'] [1 :] %}{{ x }}{% endfor %}
{% for x in [1, [2]] recursive %}{{ x if x is number else "(" ~ loop (x) ~ ")" }}{% endfor %}
{% if d⏎['k'] == 'v' and (d)⏎.⏎list⏎[0] == 1 %}y{% endif %}
{{ d⏎['k']⏎.⏎upper⏎() }}
{% set base = {"a": 1} %}{% set out = [] %}{% for r in regions %}{% set d = base.copy() %}{% set _ = d.update({"r": r}) %}{% set _ = out.append(d) %}{% endfor %}{{ out | to_json }} {{ base | to_json }}.
{% set a = [1] %}{% set b = a.copy() %}{% set _ = b.append(2) %}{{ a | to_json }} {{ b | to_json }}
{% set a = [1] %}{% set b = a | list %}{% set _ = b.append(2) %}{{ a | to_json }} {{ b | to_json }}
{% set a = [1] %}{% set b = a[:] %}{% set _ = b.append(2) %}{{ a | to_json }} {{ b | to_json }}
{% set a = {"a": 1} %}{% set b = dict(a) %}{% set _ = b.update({"z": 1}) %}{{ a | to_json }}.
{% set a = {"a": 1} %}{% set b = a | combine({"a": 1}) %}{% set _ = b.update({"z": 1}) %}{{ a | to_json }}.
{% set a = {"a": 1} %}{% set b = a %}{% set _ = b.update({"z": 1}) %}{{ a | to_json }}.
{% set a = {"a": none} %}{{ a.setdefault("a", 5) }}{{ a | to_json }}.
{% set a = {"a": none} %}{{ a.pop("a", 7) }}{{ a | to_json }}.
{% set a = {"b": none} %}{{ a.pop("a", none) }}{{ a | to_json }}.
{% set a = {} %}{{ a.setdefault("a") }}{{ a | to_json }}.
{% set a = {"b": none} %}{{ a.pop("a") }}
{% if n %}\{{ env }}{% endif %}\{% if n %}x{% endif %}\{{ n }}\\{{ n }}
\{# c #}\{{ n }}{% raw %}\{{ x }}{% endraw %}\{{ n }}
{% for line in "".splitlines() %}x{% endfor %}y
{% set d = {} %}{% set out = [] %}{% set _ = out.append(d) %}{% set _ = d.update({"a": 1}) %}{{ out | to_json }}.
{% set d = {} %}{% set e = {"d": d} %}{% set _ = d.update({"a": 1}) %}{{ e | to_json }}.
{% set a = {"l": []} %}{% set l = a.l %}{% set _ = l.append(1) %}{{ a | to_json }}.
{% set a = {"l": []} %}{% set b = a.copy() %}{% set _ = b.l.append(1) %}{{ a | to_json }}.
{% set a = [[1]] %}{% for x in a %}{% set _ = x.append(2) %}{% endfor %}{{ a | to_json }}.
{% set a = [{"n": 1}] %}{% set x = a | first %}{% set _ = x.update({"z": 1}) %}{{ a | to_json }}.
{% set a = [] %}{% set b = [a] %}{% set _ = a.append(1) %}{{ b | to_json }}.
{% set out = [] %}{% for r in regions %}{% set d = {"r": r} %}{% set _ = out.append(d) %}{% set _ = d.update({"n": loop.index}) %}{% endfor %}{{ out | to_json }}.
{% set a = [1] %}{% set b = [a, a] %}{% set _ = b[0].append(2) %}{{ b | to_json }} {{ a | to_json }}
{% set base = {"a": 1} %}{% set out = [] %}{% for r in regions %}{% set d = base.copy() %}{% set _ = out.append(d) %}{% set _ = d.update({"r": r}) %}{% endfor %}{{ out | to_json }} {{ base | to_json }}.
{% set out = [] %}{% set l = regions.copy() %}{% set _ = out.append(l) %}{% set _ = l.append("me") %}{{ out | to_json }} {{ regions | to_json }}.
{% set out = [] %}{% set l = regions | list %}{% set _ = out.append(l) %}{% set _ = l.append("me") %}{{ out | to_json }} {{ regions | to_json }}.
{% set out = [] %}{% set d = dict(config) %}{% set _ = out.append(d) %}{% set _ = d.update({"z": 1}) %}{{ out | to_json }} {{ config | to_json }}.
{% set out = [] %}{% set d = dict(z=1) %}{% set _ = out.append(d) %}{% set _ = d.update({"y": 2}) %}{{ out | to_json }}.
{% set ns = namespace(seen=[]) %}{% for s in servers + servers if s.name not in ns.seen %}{{ s.name }} {% set ns.seen = ns.seen + [s.name] %}{% endfor %}
{% set ns = namespace(n=0) %}{% for r in regions if ns.n < 1 %}{{ r }}{{ loop.index }}{% set ns.n = ns.n + 1 %}{% else %}none{% endfor %}
{% set ns = namespace(n=0) %}{% for r in regions if ns.n < 1 %}{{ r }}{{ loop.length }}{% set ns.n = ns.n + 1 %}{% endfor %}
{% set ns = namespace(n=0) %}{% for r in regions if ns.n < 1 %}{{ r }}{{ loop.last }}{{ loop.nextitem | default("-") }}{{ loop.previtem | default("-") }}{% set ns.n = ns.n + 1 %}{% endfor %}
{% set ns = namespace(n=0) %}{% for r in regions if ns.n < 1 %}{% set ns.n = ns.n + 1 %}{{ r }}{{ loop.last }}{{ loop.revindex }}{% endfor %}
{% for r in regions if false %}{{ r }}{% else %}none{% endfor %}
`;
