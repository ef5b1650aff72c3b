import { expect } from 'chai';
import { parse } from 'yaml';
import { inFolder } from '../rig/folder.js';
import { evenkeel } from '../rig/gate_command.js';

const PLAYBOOK = `
- name: Main
  hosts: all
  gate: { checks: [{ name: Check, assert: { that: r.ok } }] }
  roles: [web, web, { role: again, vars: { n: 1 } }, { role: again, vars: { n: 2 } }, skipped, skipped]
  tasks:
    - name: Keywords
      api_request: { path: /api/cloud/, method: GET }
      when: [site == 'a', facts_of.x]
      delegate_to: 'lb{{ 2 }}'
      run_once: true
      check_mode: '{{ site == "b" }}'
      ignore_errors: true
      until: [r is succeeded, r.json.count > 0]
      register: r
      notify: ['Tell {{ site }}', again]
    - name: Each {{ item }}
      debug: { msg: '{{ item.n }} {{ at }} {{ r.x }}' }
      loop: [{ n: 1 }, { n: 2 }]
      loop_control: { label: 'n={{ item.n }}', index_var: at }
      when: item.n > 1
    - debug: { msg: '{{ item }} {{ at }}' }
      loop: '{{ r.json }}'
      loop_control: { index_var: at }
    - assert: { that: [site == 'a'], fail_msg: '{{ site }}' }
    - { meta: end_host, when: [site == 'c'] }
    - { meta: flush_handlers, when: [r.x] }
    - name: Block of {{ site }}
      block: [{ debug: { msg: in } }]
      rescue: [{ debug: { msg: '{{ missing }}' } }]
      always: [{ debug: { msg: always } }]
    - block: [{ debug: { msg: '{{ item }}' } }]
      loop: [x, y]
    - block: [{ debug: { msg: plain } }]
    - include_tasks: '{{ item }}.yml'
      loop: [one, two]
      vars: { of: '{{ item }}' }
    - include_tasks: '{{ "none" }}.yml'
      when: r.x
    - { debug: { msg: '{{ set_by_include | default("open") }}' } }
  handlers:
    - { name: Tell a, debug: { msg: 'told {{ nothing }}' } }
`;
const FILES = {
  'p.yml': PLAYBOOK,
  'inv.yml': 'all: { hosts: { lb1: { site: a }, lb2: { site: b } } }\n',
  'one.yml': '- { debug: { msg: "one {{ of }}" }, tags: x }\n',
  'two.yml': '- { debug: { msg: two } }\n',
  'roles/web/tasks/main.yml': '- { name: Web, debug: { msg: web } }\n',
  'roles/again/meta/main.yml': 'allow_duplicates: true\n',
  'roles/again/tasks/main.yml': '- debug: { msg: "again {{ n }}" }\n',
  'roles/skipped/tasks/main.yml': '- { name: Maybe, debug: { msg: maybe }, when: facts_of.x }\n',
};

describe('the rendered steps of a controller', () => {
  it('have everything that decides what they do', () =>
    inFolder(FILES, async (cwd) => {
      const typed = '{"facts_of": {}}';
      const { code, stdout, stderr } = await evenkeel(['render', 'p.yml', '-i', 'inv.yml', '-l', 'lb1', '-e', typed], {
        cwd,
      });
      const wrong = 'error: "facts_of" has no "x": it is a mapping (on lb1)';
      expect(stderr.split('\n').filter((line) => /^(?:error| {2}-->|\d)/.test(line))).to.deep.equal([
        wrong,
        '  --> roles/skipped/tasks/main.yml:1:47',
        wrong,
        '  --> p.yml:9:27',
        '2 errors',
      ]);
      expect(code).to.equal(1);
      const OPEN = '(known at run time)';
      const maybe = { name: 'skipped : Maybe', debug: { msg: 'maybe' }, when: ['facts_of.x'] };
      const tasks = [
        { name: 'web : Web', debug: { msg: 'web' } },
        { debug: { msg: 'again 1' } },
        { debug: { msg: 'again 2' } },
        maybe,
        maybe,
        {
          name: 'Keywords',
          api_request: { path: '/api/cloud/', method: 'GET' },
          when: ['facts_of.x'],
          delegate_to: 'lb2',
          run_once: true,
          check_mode: false,
          ignore_errors: true,
          until: ['r is succeeded', 'r.json.count > 0'],
          register: 'r',
          notify: ['Tell a', 'again'],
        },
        { name: 'Each {"n":2}', item: 'n=2', debug: { msg: OPEN } },
        { item: OPEN, debug: { msg: OPEN } },
        { assert: { that: ["site == 'a'"], fail_msg: 'a' } },
        { meta: 'flush_handlers', when: ['r.x'] },
        {
          name: 'Block of a',
          block: [{ debug: { msg: 'in' } }],
          rescue: [{ debug: { msg: '(cannot be rendered: variable "missing" is not defined)' } }],
          always: [{ debug: { msg: 'always' } }],
        },
        { item: 'x', block: [{ debug: { msg: 'x' } }] },
        { item: 'y', block: [{ debug: { msg: 'y' } }] },
        { debug: { msg: 'plain' } },
        { item: 'one', include_tasks: { file: 'one.yml' }, tasks: [{ debug: { msg: 'one one' } }] },
        { item: 'two', include_tasks: { file: 'two.yml' }, tasks: [{ debug: { msg: 'two' } }] },
        { include_tasks: { file: 'none.yml' }, when: ['r.x'] },
        // The file may have set it.
        { debug: { msg: OPEN } },
      ];
      const handlers = [{ name: 'Tell a', debug: { msg: OPEN } }];
      const gate = [{ name: 'Check', assert: { that: 'r.ok' } }];
      expect(parse(stdout)).to.deep.equal([
        { play: 'Main', playbook: 'p.yml', controllers: { lb1: { tasks, handlers, gate } } },
      ]);
    }));

  it('have what a loop, a handler and a gate include, as in a run with these tags', () => {
    const files = {
      'p.yml': `- name: Main
  hosts: all
  gate: { checks: [include_tasks: one.yml] }
  tasks:
    - { include_role: { name: once, allow_duplicates: false }, loop: [1, 2], tags: x }
    - { include_role: { name: once, allow_duplicates: false }, tags: x }
  handlers: [include_tasks: one.yml]
`,
      'inv.yml': FILES['inv.yml'],
      'one.yml': '- debug: { msg: one }\n',
      'roles/once/tasks/main.yml': '- { debug: { msg: once }, tags: x }\n',
    };
    return inFolder(files, async (cwd) => {
      const { stdout } = await evenkeel(['render', 'p.yml', '-i', 'inv.yml', '-l', 'lb1', '--tags', 'x'], { cwd });
      expect(stdout.match(/(?<=msg: ).*/g)).to.deep.equal(['once', 'once', 'once', 'one', 'one']);
    });
  });
});
