/** Inventories with unusual semantics; `expected/` has the output of ansible-inventory 2.14. */
export interface Sample {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly sources: readonly string[];
}

export const SAMPLES: readonly Sample[] = [
  {
    name: 'yaml',
    sources: ['hosts.yml'],
    files: {
      'hosts.yml': `
all:
  vars:
    domain: example.com
    shared: { list: [1, 2, { deep: true }], empty: {}, none: [] }
  hosts:
    loose1: { note: direct member of all }
  children:
    emea:
      vars: { region: emea, mtu: 9000 }
      hosts:
        lb[01:05:2].emea.example.com:
        lb[1:2]-[a:c].emea: { tier: edge }
      children:
        paris: { hosts: { lb01.emea.example.com: { mtu: 1500 } }, vars: { region: paris } }
    amer:
      vars: { region: amer, ansible_group_priority: 10 }
      hosts:
        lb9.amer:8443: { enabled: yes, weight: 1.5, url: "{{ inventory_hostname }}/x", nothing: ~ }
        paris-1: |-
    empty_group:
top_level:
  hosts:
    lb01.emea.example.com:
  children: { late: , emea: }
lone: { hosts: single_host }
`.replace('|-', ''),
    },
  },
  {
    name: 'ini',
    sources: ['hosts'],
    files: {
      hosts: `# a comment
; another one
loose1 ansible_port=2200
[web:children]
db
front
[front]
front[01:03] tags="['a', 'b']" number=0x1F text="'8080'" flag=True no=false raw="a b" # trailing
front09:8443 hash=abc#cut
10.0.0.[1:2]
[db]   # the group of databases
db-[a:c].example.com dict="{'x': [1, None], 'two': 'two'}" float=1.50 neg=-3 quoted='"inner"'
[db:vars]
port = 5432
literal = [1, "two", {"three": 3}]
string = plain text with # inside
equals=a=b=c
empty=
yes = yes
truth = True
ansible_group_priority=7
[all:vars]
from_all=1
[ungrouped:vars]
from_ungrouped=1
[web:vars]
port=1
`,
    },
  },
  {
    name: 'precedence',
    sources: ['inventory'],
    files: {
      'inventory/10-base.yml': `
all:
  vars: { a: all-inline, b: all-inline, c: all-inline, d: all-inline, e: all-inline }
  children:
    parent:
      vars: { b: parent-inline, c: parent-inline, d: parent-inline, who: parent, dep: p }
      children:
        child_a: { vars: { c: a-inline, who: child_a }, hosts: { h1: { d: host-inline, z: host } } }
        child_b: { vars: { c: b-inline, who: child_b }, hosts: { h1: , h2: } }
    early: { vars: { who: early, ansible_group_priority: 5, dep: e }, hosts: { h2: } }
    zeta: { vars: { who: zeta, dep: z }, hosts: { h2: } }
`,
      'inventory/20-more': `[child_a]\nh1 z=later\nh3\n[child_a:vars]\nc=a-later\n`,
      'inventory/skipped.md': 'not an inventory',
      'inventory/group_vars/all/10.yml': 'a: all-file-10\nb: all-file-10\n',
      'inventory/group_vars/all/20.yaml': 'b: all-file-20\nfrom_folder: yes\n',
      'inventory/group_vars/all/ignored.txt': 'a: wrong',
      'inventory/group_vars/all/sub/30.json': '{"from_sub": [true, null]}',
      'inventory/group_vars/parent.yml': 'c: parent-file\nd: parent-file\ne: parent-file\n',
      'inventory/group_vars/child_b': 'c: b-file\n',
      'inventory/host_vars/h1.yaml': 'd: host-file\nz: host-file\n',
      'inventory/host_vars/unknown.yml': 'x: [unclosed',
      'inventory/sub/30.yml': 'deep: { hosts: { h4: } }',
    },
  },
  {
    name: 'several',
    sources: ['one/hosts.yml', 'two/hosts', 'x1,lb2:8443,h1,::1', 'one/hosts.yml'],
    files: {
      'one/hosts.yml': 'g: { hosts: { h1: { v: one }, h2: { v: one } }, vars: { gv: one, only_one: 1 } }\n',
      'one/group_vars/g.yml': 'file: one\nonly: one\n',
      'two/hosts': '[g]\nh1 v=two\n[p:children]\ng\n[p:vars]\npv=1\n',
      'two/group_vars/p.yml': 'file: two-parent\n',
      'two/group_vars/g.yml': 'file: two\n',
      'two/host_vars/h2.json': '{"v": "two-file"}',
    },
  },
  {
    name: 'script',
    sources: ['dynamic.sh'],
    files: {
      'dynamic.sh': `#!/bin/sh
cat <<'JSON'
{"web": {"hosts": ["w1", "w2"], "vars": {"n": 1}, "children": ["sub"]}, "plain": ["p1"], "solo": {"ansible_host": "10.0.0.9"},
 "sub": {"hosts": ["s1"]}, "_meta": {"hostvars": {"w1": {"a": [1, {"b": null}]}, "ghost": {"x": 1}}}}
JSON
`,
      'group_vars/web.yml': 'from: file\n',
    },
  },
  {
    name: 'script_per_host',
    sources: ['dynamic.sh'],
    files: {
      'dynamic.sh': `#!/bin/sh
if [ "$1" = --list ]; then echo '{"g": {"hosts": ["h1", "h2"]}}'; exit; fi
test "$2" = h2 && echo '{}' || echo "{\\"name\\": \\"$2\\"}"
`,
    },
  },
  {
    name: 'scalars',
    sources: ['hosts.yml'],
    files: {
      'hosts.yml': `
g:
  hosts:
    h:
      texts:
        - ''
        - ' leading'
        - 'trailing '
        - 'a: b'
        - 'a #b'
        - '#c'
        - '- d'
        - '-e'
        - '? f'
        - "it's"
        - 'say "hi"'
        - '{{ template }}'
        - '@at'
        - '%p'
        - 'yes'
        - 'null'
        - '~'
        - '1.0'
        - '0x1f'
        - '1:30'
        - '2020-01-01'
        - '1e3'
        - '=' 
        - '<<'
        - "two\\nlines"
        - "two\\n\\nparagraphs\\n"
        - "tab\\there"
        - "bell\\a and nul\\0"
        - "über – 😀 \\u00a0|"
        - "\\u2028 line"
        - " \\n mixed \\n"
        - "a \\nb"
        - "a\\n b"
        - '---'
        - '...x'
        - 'ends:'
        - ':begins'
        - 'a,b'
        - '[x]'
        - '!tag'
      long_plain: Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.
      long_quoted: 'Lorem ipsum: dolor sit amet, consectetur adipiscing elit, sed do eiusmod  tempor incididunt ut labore et dolore it''s magna aliqua.'
      long_double: "Lorem ipsum\\tdolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua."
      long_lines: "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor\\nincididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud."
      averyveryverylongwordthatcannotbebroken: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbb
      numbers: [0, -1, 1.5, 1.5e-7, 0.00001, 123456789012, .inf, -.inf]
      nested: [[1, [2, []]], {a: {b: {}}}, [{c: 1, d: [2]}]]
      'key: with colon': 1
      'true': quoted key
      '': empty key
      kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk: {long: name}
      bools: [yes, No, ON, true]
      data: !unsafe '{{ raw }}'
    h2: &other
      shared: &shared [1, 2]
      again: *shared
      box: { inner: *shared, map: &map { a: 1 } }
      more: [*map, *map]
`,
    },
  },
];
