import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { readCases, type Case } from '../differential/rig/cases.js';
import { blocksOf } from '../docs/blocks.js';
import { ROOT } from '../rig/command.js';
import { findingsIn } from '../rig/linted.js';
import { mistakes, playOf } from '../rig/loaded.js';
import { shareOf } from '../rig/random_seed.js';
import { judge, schemasFor, type Judge } from '../rig/schemas.js';

/** What both the loader and the schema accept. */
const FINE: readonly (readonly [why: string, tasks: string])[] = [
  ['a module by its key', '- debug: {msg: x}'],
  ['a module by its name in Ansible', '- ansible.builtin.debug: {msg: x}'],
  ['arguments as text', '- debug: msg=x'],
  ['no arguments', '- debug:'],
  ['action as text', '- action: debug msg=x'],
  ['action as a mapping', '- action: {module: debug, msg: x}'],
  ['required arguments in args', '- cloud_present:\n  args: {name: edge}'],
  ['arguments as one template', '- cloud_present: "{{ wanted }}"'],
  [
    'templates for numbers, flags and lists',
    '- debug: {msg: x, verbosity: "{{ v }}"}\n  ignore_errors: "{{ i }}"\n  loop: "{{ l }}"',
  ],
  ['numbers and flags as text', '- debug: {msg: x, verbosity: "1"}\n  ignore_errors: "yes"\n  retries: "3"'],
  ['fields that are not declared', '- cloud_present: {name: edge, brand_new_field: [1, {a: b}]}'],
  [
    'known fields with values beyond the known bounds and choices',
    '- cloud_present: {name: edge, autoscale_polling_interval: 5, vtype: CLOUD_NEW}',
  ],
  ['conditions of every kind', '- debug:\n  when: [a, true]\n  changed_when: false\n  failed_when: a and b'],
  ['keywords with nothing behind', '- debug:\n  tags:\n  when:\n  register:'],
  ['a loop with control', '- debug:\n  loop: [1]\n  loop_control: {loop_var: x, parallel: 2, label: "{{ x }}"}'],
  [
    'nested blocks',
    '- block:\n    - block:\n        - debug:\n  rescue:\n    - debug:\n  always:\n    - debug:\n  when: a',
  ],
  [
    "modules of the vendor's collection",
    '- vmware.alb.avi_pool: {name: web, avi_credentials: "{{ c }}", state: absent, api_version: 20.1, default_server_port: "80"}\n- avi_user: {name: Ops, obj_username: ops, obj_password: x, password: y}\n- avi_api_session: {http_method: get, path: pool}\n- avi_api_version:',
  ],
  ['meta', '- meta: flush_handlers\n  when: a'],
  ['facts of any name', '- set_fact: {a: 1, b: {c: [d]}}'],
  ['expressions as they are', '- assert: {that: [a, "b == 1"], fail_msg: [x, y]}'],
];

/** What neither takes. */
const WRONG: readonly (readonly [why: string, tasks: string])[] = [
  ['no module', '- name: x'],
  ['a state that the vendor does not have', '- avi_pool: {name: web, state: gone}'],
  ['a field of the vendor of another type', '- vmware.alb.avi_pool: {name: web, servers: 5}'],
  ['a patch that the vendor does not have', '- avi_pool: {name: web, avi_api_patch_op: ad}'],
  ['a request of the vendor without a path', '- avi_api_session: {http_method: get}'],
  ['a module that the vendor does not have', '- avi_pol: {name: web}'],
  ['a module of the vendor and another', '- debug:\n  vmware.alb.avi_pool: {name: web}'],
  ['two modules', '- debug:\n  fail:'],
  ['a module that there is not', '- debgu: {msg: x}'],
  ['a keyword that there is not', '- debug:\n  notfiy: x'],
  ['a keyword of plays', '- debug:\n  hosts: all'],
  ['a keyword of loop_control', '- debug:\n  loop: [1]\n  loop_var: x'],
  ['a keyword of handlers', '- debug:\n  listen: x'],
  ['rescue without a block', '- debug:\n  rescue: [{debug: }]'],
  ['a module in a block', '- block: [{debug: }]\n  debug:'],
  ['an argument that there is not', '- debug: {message: x}'],
  ['an argument of the wrong type', '- debug: {msg: x, verbosity: loud}'],
  ['a nested argument of the wrong type', '- system_config: {portal_configuration: {http_port: [80]}}'],
  ['a known field of the wrong type', '- cloud_present: {name: edge, dhcp_enabled: [true]}'],
  ['an argument that is missing', '- cloud_present: {mtu: 1500}'],
  ['all arguments missing', '- cloud_present:'],
  ['a choice that there is not', '- cloud_present: {name: x, secrets: never}'],
  ['a path outside of the API', '- api_request: {path: /login}'],
  ['a name that no variable can have', '- set_fact: {"a-b": 1}'],
  ['a register that no variable can be', '- debug:\n  register: a-b'],
  ['a condition that is a mapping', '- debug:\n  when: {a: b}'],
  ['a flag that is a list', '- debug:\n  ignore_errors: [true]'],
  ['a number that is none', '- debug:\n  until: a\n  retries: often'],
  ['a task that is text', '- debug'],
  ['tasks that are a mapping', 'debug:'],
  ['variables that are a list', '- debug:\n  vars: [a]'],
  ['a variable with a strange name', '- debug:\n  vars: {"a b": 1}'],
  ['an action of meta that there is not', '- meta: flush'],
  ['words of SSH', '- debug:\n  port: 22'],
];

const PLAYS: readonly (readonly [why: string, playbook: string, fine: boolean])[] = [
  [
    'every keyword',
    '- {hosts: [a, b], serial: [1, "50%"], max_fail_percentage: 30, strategy: linear, order: sorted, tags: x, tasks: []}',
    true,
  ],
  ['a single prompt', '- {hosts: a, vars_prompt: {name: x}, tasks: []}', true],
  ['prompts', '- {hosts: a, vars_prompt: [{name: x, prompt: "x?", private: no}], tasks: []}', true],
  ['sizes from a template', '- {hosts: a, serial: "{{ size }}", tasks: []}', true],
  ['what every Ansible playbook has', '- {hosts: a, gather_facts: false, connection: local, tasks: []}', true],
  ['defaults of modules', '- {hosts: a, module_defaults: {debug: {msg: x}}, tasks: []}', true],
  ['a gate', '- {hosts: a, gate: {checks: [{debug: }], interval: "{{ n }}", passes: 3, on_fail: pause}}', true],
  ['a gate without checks', '- {hosts: a, gate: {passes: 3}}', false],
  ['a gate that does something else', '- {hosts: a, gate: {checks: [{debug: }], on_fail: explode}}', false],
  ['no hosts', '- {tasks: []}', false],
  ['a keyword of tasks', '- {hosts: a, register: x, tasks: []}', false],
  ['a strategy that there is not', '- {hosts: a, strategy: slow, tasks: []}', false],
  ['an order that there is not', '- {hosts: a, order: random, tasks: []}', false],
  ['a size that is none', '- {hosts: a, serial: some, tasks: []}', false],
  ['a percentage that is none', '- {hosts: a, max_fail_percentage: some, tasks: []}', false],
  ['a prompt without a name', '- {hosts: a, vars_prompt: [{prompt: x}], tasks: []}', false],
  ['a mapping', 'hosts: a', false],
  ['an empty list', '[]', false],
  ['a block of handlers', '- {hosts: a, handlers: [{block: [{name: A, debug: }], when: a}]}', true],
  ['a block of handlers with a rescue', '- {hosts: a, handlers: [{block: [{debug: }], rescue: [{debug: }]}]}', false],
];

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

function filesBelow(folder: string): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => path.join(folder, file));
}

/** `yaml` blocks of the documentation, by what they are. */
function* documented(): Generator<readonly [title: string, schema: string, text: string]> {
  // The schemas do not know the module that writing-a-module.md builds.
  const names = readdirSync(path.join(ROOT, 'docs')).filter((name) => name !== 'writing-a-module.md');
  const pages = ['README.md', ...names.map((name) => `docs/${name}`)];
  for (const page of pages.filter((name) => name.endsWith('.md'))) {
    for (const { language, line, text } of blocksOf(read(page))) {
      if (language !== 'yaml') continue;
      if (/^- .*\n(?:.*\n)*? {2}hosts:|^- hosts:/.test(text)) yield [`${page}:${line}`, 'playbook', text];
      else if (/^all:/m.test(text)) yield [`${page}:${line}`, 'inventory', text];
      else if (/^environments:/m.test(text)) yield [`${page}:${line}`, 'project', text];
    }
  }
}

/** Editors ignore the folder of a playbook, so `site.yml` is named as if it were in one. */
function schemaOf(file: string): string | undefined {
  const [schema] = schemasFor(file === 'site.yml' ? 'playbooks/site.yml' : file);
  return schema;
}

/** The errors of the schemas in the files of a case. */
function refusals({ playbook, files = {} }: Case, errors: Judge): readonly string[] {
  return Object.entries({ 'site.yml': playbook, ...files }).flatMap(([file, text]) => {
    const schema = schemaOf(file);
    return schema === undefined ? [] : errors(schema, text).map((error) => `${file} ${error}`);
  });
}

/** Cases that the loader refuses, and old forms, which it accepts but editors mark. */
const NOT_OFFERED = ['syntax-check', 'unknown-key', 'misplaced-key', 'deprecated', 'no-effect'];

describe('The schema of playbooks', function () {
  // The schema of playbooks takes seconds to compile, on a busy machine a minute.
  this.timeout(300_000);
  let errors: Judge;
  before(async () => {
    errors = await judge();
  });
  const said = (found: readonly string[]): boolean => found.length > 0;
  const refusals = (found: readonly string[]): readonly string[] => found.filter((one) => !one.startsWith('warning'));

  for (const [why, tasks] of FINE) {
    it(`takes ${why}, as the loader does`, async () => {
      expect(refusals(await mistakes(playOf(tasks)))).to.deep.equal([]);
      expect(errors('playbook', playOf(tasks))).to.deep.equal([]);
      expect(errors('tasks', tasks)).to.deep.equal([]);
    });
  }

  for (const [why, tasks] of WRONG) {
    it(`refuses ${why}, as the loader does`, async () => {
      expect(said(refusals(await mistakes(playOf(tasks))))).to.equal(true);
      expect(said(errors('playbook', playOf(tasks)))).to.equal(true);
      expect(said(errors('tasks', tasks))).to.equal(true);
    });
  }

  for (const [why, playbook, fine] of PLAYS) {
    it(`${fine ? 'takes' : 'refuses'} a play with ${why}, as the loader does`, async () => {
      expect(said(refusals(await mistakes(playbook)))).to.equal(!fine);
      expect(said(errors('playbook', playbook))).to.equal(!fine);
    });
  }

  it('takes handlers that listen, and nothing that no handler can be', () => {
    expect(errors('handlers', '- name: Reload\n  debug:\n  listen: [a, b]')).to.deep.equal([]);
    expect(errors('handlers', '- name: End\n  meta: end_play\n  listen: a')).to.deep.equal([]);
    expect(said(errors('handlers', '- include_role: {name: a}'))).to.equal(true);
    expect(said(errors('handlers', '- name: Reload\n  debgu:'))).to.equal(true);
  });

  it('takes other playbooks', () => {
    expect(errors('playbook', '- import_playbook: other.yml\n  when: a\n  tags: x')).to.deep.equal([]);
    expect(said(errors('playbook', '- import_playbook: other.yml\n  tasks: []'))).to.equal(true);
  });
});

describe('Schemas accept', function () {
  // The schema of playbooks takes seconds to compile, on a busy machine a minute.
  this.timeout(300_000);
  let errors: Judge;
  before(async () => {
    errors = await judge();
  });

  for (const file of ['evenkeel.yml', ...filesBelow('inventory'), ...filesBelow('playbooks')]) {
    it(file, () => {
      const [schema = '', ...others] = schemasFor(file);
      expect(others).to.deep.equal([]);
      expect(errors(schema, read(file))).to.deep.equal([]);
    });
  }

  for (const [title, schema, text] of documented()) {
    it(`${title} (${schema})`, () => expect(errors(schema, text)).to.deep.equal([]));
  }

  // Hundreds of playbooks.
  it('cases of the differential suite that the loader accepts, and lint reads all', async () => {
    const wrong: Record<string, readonly string[]> = {};
    for (const [index, { name, cases }] of (await readCases()).entries()) {
      for (const one of shareOf(cases, { change: 24, gate: 12 }, index)) {
        const findings = await findingsIn({ 'site.yml': one.playbook, ...one.files });
        const loads = findings.every(({ rule }) => !NOT_OFFERED.includes(rule));
        const refused = loads ? refusals(one, errors) : [];
        if (refused.length > 0) wrong[`${name}: ${one.title}`] = refused;
      }
    }
    expect(wrong).to.deep.equal({});
  });
});
