import { expect } from 'chai';
import type { Construct } from '../../../src/project/keywords/keyword.js';
import { KEYWORDS } from '../../../src/project/keywords/keyword_table.js';
import { load, mistakes, playOf } from '../../rig/loaded.js';

/** For each place: a playbook with one keyword there, and everything else that the place requires. */
const AROUND: Readonly<
  Record<Exclude<Construct, 'role' | 'include_role' | 'import_role'>, (keyword: string) => string>
> = {
  play: (keyword) => `- ${keyword}\n`,
  block: (keyword) => playOf(`- block: [debug: ]\n  ${keyword}`),
  task: (keyword) => playOf(`- debug:\n  ${keyword}`),
  handler: (keyword) => `- hosts: all\n  handlers:\n    - debug:\n      ${keyword}\n`,
  meta: (keyword) => playOf(`- meta: noop\n  ${keyword}`),
  include_tasks: (keyword) => playOf(`- include_tasks: "{{ x }}"\n  ${keyword}`),
  import_tasks: (keyword) => playOf(`- import_tasks: a.yml\n  ${keyword}`),
  import_playbook: (keyword) => `- import_playbook: play.yml\n  ${keyword}\n`,
  apply: (keyword) => playOf(`- include_tasks:\n    file: "{{ x }}"\n    apply:\n      ${keyword}`),
  loop_control: (keyword) => playOf(`- debug:\n  loop: [1]\n  loop_control:\n    ${keyword}`),
  gate: (keyword) => `- hosts: all\n  gate:\n    checks: [debug: ]\n    ${keyword}\n`,
  vars_prompt: (keyword) => `- hosts: all\n  vars_prompt:\n    - name: x\n      ${keyword}\n`,
};

const FILES = { 'a.yml': '- debug:\n', 'play.yml': '- hosts: all\n' };

describe('The table of keywords', () => {
  it('declares each keyword once per construct, with a description', () => {
    const declared = KEYWORDS.flatMap(({ name, constructs }) => constructs.map((construct) => `${construct} ${name}`));
    expect(declared.filter((one, index) => declared.indexOf(one) !== index)).to.deep.equal([]);
    for (const { name, description } of KEYWORDS) {
      expect(description, name).to.match(/^[A-Z][^\n]*\.$/);
      expect(description.length, name).to.be.below(100);
    }
  });

  it('has choices exactly for keywords with choices', () => {
    for (const { name, value, choices } of KEYWORDS) expect(choices !== undefined, name).to.equal(value === 'choice');
  });

  for (const [construct, around] of Object.entries(AROUND)) {
    it(`lists exactly the keywords that are valid in ${construct}`, async () => {
      const names = [...new Set(KEYWORDS.map(({ name }) => name))];
      const known = KEYWORDS.filter(({ constructs }) => constructs.some((one) => one === construct)).map(
        ({ name }) => name,
      );
      // Words that turn the step into another kind of step have another message.
      const others = ['block', 'rescue', 'always', 'meta', 'import_tasks', 'import_role', 'import_playbook', 'pause'];
      for (const name of names.filter((one) => !others.includes(one))) {
        const said = (await mistakes(around(`${name}: `), FILES)).join('\n');
        expect(said.includes(`"${name}" is not a keyword of`), `${name}: ${said}`).to.equal(!known.includes(name));
      }
    });
  }
});

describe('A keyword in the wrong place', () => {
  for (const [construct, keyword, message] of [
    ['block', 'register', '"register" is not a keyword of a block — it belongs to a task'],
    ['block', 'vars_prompt', '"vars_prompt" is not a keyword of a block — it belongs to a play'],
    ['task', 'serial', '"serial" is not a keyword of a task — it belongs to a play'],
    ['task', 'listen', '"listen" is not a keyword of a task — it belongs to a handler'],
    ['task', 'loop_var', '"loop_var" is not a keyword of a task — it belongs to loop_control'],
    ['task', 'confirm', '"confirm" is not a keyword of a task — it belongs to an entry of vars_prompt'],
    ['loop_control', 'loop', '"loop" is not a keyword of loop_control — it belongs to a task'],
    ['include_tasks', 'until', '"until" is not a keyword of include_tasks — it belongs to a task'],
    ['include_tasks', 'delegate_to', '"delegate_to" is not a keyword of include_tasks — put it under "apply"'],
    [
      'include_tasks',
      'apply',
      '"apply" is not a keyword of include_tasks — it is an argument of "include_tasks": write all its arguments by name, below the module',
    ],
    [
      'import_tasks',
      'with_items',
      '"with_items" is not a keyword of import_tasks — an import happens before the run; use include_tasks, which can loop',
    ],
    ['task', 'on_fail', '"on_fail" is not a keyword of a task — it belongs to a gate'],
    ['import_playbook', 'no_log', '"no_log" is not a keyword of import_playbook — it belongs to a play'],
    ['meta', 'notify', '"notify" is not a keyword of meta — it belongs to a task'],
  ] as const) {
    it(`is reported with its right place: ${keyword} on ${construct}`, async () => {
      const [first] = await mistakes(AROUND[construct](`${keyword}: x`), FILES);
      expect(first?.replace(/^\S+ /, '')).to.equal(message);
    });
  }

  it('does not include keywords that state the default', async () => {
    const { diagnostics } = await load(
      '- hosts: all\n  gather_facts: no\n  connection: local\n  tasks: [{debug: , connection: local}]\n',
    );
    expect(diagnostics).to.deep.equal([]);
  });
});
