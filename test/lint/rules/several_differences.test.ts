import { expect } from 'chai';
import { found } from '../../rig/rule.js';

const RULE = 'version-difference';
const brief = (all: readonly string[], until: string): readonly string[] =>
  all.map((one) => (one.split(until)[0] ?? '').replace(/^warning: /, ''));

describe('version-difference, of several things at once', () => {
  it('finds each address with a wildcard in a pattern', async () => {
    const said = await found(RULE, "- { name: x, hosts: 'a::*,&2001::?,!fe80::[1],lb*,fe80::1,web:&db', tasks: [] }\n");
    expect(brief(said, ' is one')).to.deep.equal(
      ['a::*', '&2001::?', '!fe80::[1]'].map((term) => `site.yml:1:21 "${term}"`),
    );
  });

  it('finds each topic that handlers of one name share, but not in one role', async () => {
    const handler = (...topics: readonly string[]) =>
      `- { name: h, debug: , changed_when: true, listen: [${topics.join(', ')}] }\n`;
    const files = {
      'roles/a/handlers/main.yml': handler('t', 'u') + handler('t'),
      'roles/b/handlers/main.yml': handler('u', 'v'),
      'roles/c/handlers/main.yml': `${handler('t', 'v')}- { debug: , changed_when: true, listen: t }\n`,
    };
    const said = await found(RULE, '- { name: x, hosts: all, roles: [a, b, c] }\n', files);
    expect(brief(said, ': Ansible')).to.deep.equal([
      'roles/b/handlers/main.yml:1:11 another role has a handler "h" that listens to "u"',
      'roles/c/handlers/main.yml:1:11 another role has a handler "h" that listens to "t"',
      'roles/c/handlers/main.yml:1:11 another role has a handler "h" that listens to "v"',
    ]);
  });

  it('finds handlers that notify themselves by any of their names', async () => {
    const files = {
      'roles/r/handlers/main.yml':
        '- { name: a, debug: , changed_when: true, notify: [b, "r : a"] }\n- { name: b, debug: , changed_when: true, notify: [a, t], listen: [s, t] }\n- { name: c, debug: , changed_when: true, notify: [a, b] }\n',
    };
    const said = await found(RULE, '- { name: x, hosts: all, roles: [r] }\n', files);
    expect(brief(said, ' notifies')).to.deep.equal([
      'roles/r/handlers/main.yml:1:55 this handler',
      'roles/r/handlers/main.yml:2:55 this handler',
    ]);
  });

  it('finds loops over texts in lists of lists', async () => {
    const tasks = [
      'with_nested: [ab, [1], cd]',
      "with_together: ['{{ a }}', cd, ef]",
      'with_items: [ab]',
      "with_nested: '{{ a }}'",
      'loop: [ab]',
    ].map((loop) => `    - { name: x, debug: , ${loop} }`);
    const said = await found(RULE, `- name: x\n  hosts: all\n  vars: { a: [1] }\n  tasks:\n${tasks.join('\n')}\n`);
    const message = (name: string, text: string) =>
      `a text is one item of with_${name} in Ansible 2.14, and a list of its letters in 2.19 — write each of these as a list: [${text}]`;
    expect(said).to.deep.equal([
      `warning: site.yml:5:40 ${message('nested', 'ab')}`,
      `warning: site.yml:6:42 ${message('together', 'cd')}`,
    ]);
  });

  it('finds what ends or shares tasks for all in the part of a block that is rescued', async () => {
    const playbook = `- name: x
  hosts: all
  tasks:
    - block:
        - { name: a, debug: , any_errors_fatal: true, run_once: true }
        - block: [{ name: b, debug: , any_errors_fatal: '{{ c }}' }]
          always: [{ name: c, debug: , run_once: true }]
        - { name: d, debug: , any_errors_fatal: false, run_once: false }
      rescue:
        - { name: e, debug: , any_errors_fatal: true }
      always:
        - { name: f, debug: , run_once: true }
    - block: [{ name: g, debug: , run_once: true }]
`;
    const said = await found(RULE, playbook);
    expect(
      said.map((one) => / site\.yml:(\d+:\d+) .*?"(any_errors_fatal|run_once)"/.exec(` ${one}`)?.slice(1).join(' ')),
    ).to.deep.equal(['5:49 any_errors_fatal', '5:65 run_once', '6:57 any_errors_fatal', '7:50 run_once']);
  });

  it('finds each variable of an entry of roles that is set elsewhere, once', async () => {
    const files = {
      'roles/r/tasks/main.yml': '- { name: x, debug: }\n- { name: y, debug: }\n',
      'roles/r/vars/main.yml': 'b: 2\nz: 1\n',
      'roles/r/defaults/main.yml': 'c: 3\n',
    };
    const playbook =
      '- name: x\n  hosts: all\n  vars: { a: 1 }\n  roles:\n    - { role: r, vars: { a: 1, b: 2, c: 3 } }\n    - { role: r, a: 2, vars: { d: 4 } }\n';
    const said = await found(RULE, playbook, files);
    expect(brief(said, ': Ansible')).to.deep.equal([
      'site.yml:5:29 "a" is set in play vars, too',
      'site.yml:5:35 "b" is set in roles/r/vars/main.yml, too',
    ]);
  });
});
