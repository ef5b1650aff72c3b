import { expect } from 'chai';
import type { Step } from '../../../src/core/model/playbook/step.js';
import { load, playOf, tasksOf } from '../../rig/loaded.js';

const at = (line: number, column: number, file = 'site.yml') => ({ file, line, column });
const layersOf = (step: Step) =>
  (step.type === 'meta' || step.type === 'role' ? [] : step.layers).map(({ level, values, origin }) =>
    level === 'magic' ? [level, ...Object.keys(values)] : [level, values, origin],
  );

describe('Steps, with all that they say and no more', () => {
  it('are tasks with every keyword', async () => {
    const text = `- name: N
  debug: { msg: hi }
  args: { verbosity: 1 }
  vars: { v: 1 }
  when: [w, x]
  tags: [t]
  register: r
  until: u
  retries: 3
  delay: 0
  backoff: 1.5
  changed_when: c
  failed_when: [f, g]
  notify: [H, I]
  ignore_errors: true
  ignore_unreachable: true
  no_log: true
  check_mode: false
  diff: true
  any_errors_fatal: true
  run_once: true
  delegate_to: lb2
  delegate_facts: true
  throttle: 2
  timeout: 9
  loop: [1]
- debug:`;
    const { plays, diagnostics } = await load(
      `${playOf(text)}  handlers: [{ name: H, debug: }, { name: I, debug: }]\n`,
    );
    expect(diagnostics).to.deep.equal([]);
    const [full, plain] = tasksOf(plays[0]);
    if (full === undefined || plain === undefined) return expect.fail('two tasks');
    const { locate, layers: _layers, loop, ...rest } = full;
    expect(rest).to.deep.equal({
      type: 'task',
      module: 'debug',
      args: { msg: 'hi', verbosity: 1 },
      argsPath: ['debug'],
      publicArgs: rest.publicArgs,
      when: [
        { expression: 'w', source: at(7, 14) },
        { expression: 'x', source: at(7, 17) },
      ],
      tags: ['t'],
      notify: [
        { value: 'H', source: at(16, 16) },
        { value: 'I', source: at(16, 19) },
      ],
      ignoreErrors: { value: true, source: at(17, 22) },
      ignoreUnreachable: { value: true, source: at(18, 27) },
      noLog: { value: true, source: at(19, 15) },
      checkMode: { value: false, source: at(20, 19) },
      diff: { value: true, source: at(21, 13) },
      anyErrorsFatal: { value: true, source: at(22, 25) },
      runOnce: { value: true, source: at(23, 17) },
      delegateTo: { value: 'lb2', source: at(24, 20) },
      delegateFacts: { value: true, source: at(25, 23) },
      throttle: { value: 2, source: at(26, 17) },
      timeout: { value: 9, source: at(27, 16) },
      name: { value: 'N', source: at(3, 13) },
      role: undefined,
      source: at(3, 7),
      until: {
        until: [{ expression: 'u', source: at(10, 14) }],
        retries: { value: 3, source: at(11, 16) },
        delay: { value: 0, source: at(12, 14) },
        backoff: { value: 1.5, source: at(13, 16) },
      },
      register: 'r',
      changedWhen: [{ expression: 'c', source: at(14, 21) }],
      failedWhen: [
        { expression: 'f', source: at(15, 21) },
        { expression: 'g', source: at(15, 24) },
      ],
    });
    expect([loop?.over, layersOf(full), layersOf(plain)]).to.deep.equal([
      { value: [1], source: at(28, 13) },
      [
        ['task vars', { v: 1 }, 'vars of "N"'],
        ['magic', 'ansible_search_path'],
      ],
      [['magic', 'ansible_search_path']],
    ]);
    expect([
      locate(['debug', 'msg']),
      locate(['debug', 'verbosity']),
      locate(['debug']),
      locate(['when', 1]),
    ]).to.deep.equal([at(4, 21), at(5, 26), at(4, 14), at(7, 17)]);
    const { locate: _locate, publicArgs: _publicArgs, layers: _all, ...bare } = plain;
    expect(Object.entries(bare).filter(([, value]) => value !== undefined)).to.deep.equal([
      ['type', 'task'],
      ['module', 'debug'],
      ['args', {}],
      ['argsPath', ['debug']],
      ['when', []],
      ['tags', []],
      ['notify', []],
      ['source', at(29, 7)],
    ]);
  });

  it('are repeated only if they say how often or until when', async () => {
    const { plays, diagnostics } = await load(
      playOf('- debug:\n  retries: 2\n- debug:\n  delay: 1\n  backoff: 2\n- debug:\n  until: x'),
    );
    expect(diagnostics).to.deep.equal([
      'warning: site.yml:6:7 "delay" does nothing without "until" or "retries"',
      'warning: site.yml:7:7 "backoff" does nothing without "until" or "retries"',
    ]);
    const none = { until: undefined, retries: undefined, delay: undefined, backoff: undefined };
    expect(tasksOf(plays[0]).map(({ until }) => until)).to.deep.equal([
      { ...none, retries: { value: 2, source: at(4, 16) } },
      undefined,
      { ...none, until: [{ expression: 'x', source: at(9, 14) }] },
    ]);
  });

  it('are blocks, roles and includes with their own variables and places', async () => {
    const files = {
      'roles/web/tasks/main.yml': '- name: Work\n  debug:\n',
      'roles/web/defaults/main.yml': 'd: 1\n',
      'roles/web/vars/main.yml': 'v: 2\n',
      'roles/web/handlers/main.yml': '- name: H\n  debug:\n',
      'more.yml': '- name: More\n  debug:\n',
    };
    const text = `- name: B
  vars: { b: 1 }
  loop: [1, 2]
  block: [{ debug: }]
- import_role: { name: web, allow_duplicates: false }
  vars: { p: 3 }
  when: w
- include_tasks: more.yml
  vars: { i: 4 }`;
    const { plays, diagnostics } = await load(playOf(text), files, undefined, {
      use: async ({ plays: [play] }) => {
        const include = play?.tasks[2];
        if (include?.type !== 'include') return expect.fail('no include');
        const { title, steps, handlers, layers } = await include.read({ file: 'more.yml' });
        expect([title, steps.map((step) => step.type === 'task' && step.name?.value), handlers, layers]).to.deep.equal([
          'more.yml',
          ['More'],
          [],
          [],
        ]);
      },
    });
    expect(diagnostics).to.deep.equal([]);
    const [block, role, include] = plays[0]?.tasks ?? [];
    if (block?.type !== 'block' || role?.type !== 'role' || include?.type !== 'include') return expect.fail('steps');
    const { steps, layers: _layers, loop, ...ofBlock } = block;
    expect([ofBlock, steps.length, loop?.over.value, layersOf(block)]).to.deep.equal([
      {
        type: 'block',
        name: { value: 'B', source: at(3, 13) },
        source: at(3, 7),
        rescue: [],
        always: [],
        anyErrorsFatal: undefined,
        ignoreErrors: undefined,
        noLog: undefined,
        runOnce: undefined,
        when: [],
      },
      1,
      [1, 2],
      [
        ['block vars', { b: 1 }, 'vars of "B"'],
        ['magic', 'ansible_search_path'],
      ],
    ]);
    const {
      steps: [work],
      key,
      ...ofRole
    } = role;
    expect(ofRole).to.deep.equal({ type: 'role', name: 'web', source: at(7, 28), repeatable: false });
    const identity = JSON.parse(key) as Readonly<Record<string, unknown>>;
    expect({ ...identity, path: '' }).to.deep.equal({
      path: '',
      fromStep: true,
      named: {},
      vars: { p: 3 },
    });
    if (work?.type !== 'task') return expect.fail('no task');
    expect([work.role, work.when.map(({ expression }) => expression), layersOf(work)]).to.deep.equal([
      'web',
      ['w'],
      [
        ['block vars', { p: 3 }, 'vars of import_role'],
        ['role defaults', { d: 1 }, 'roles/web/defaults/main.yml'],
        ['role vars', { p: 3 }, 'vars of role web'],
        ['role vars', { v: 2 }, 'roles/web/vars/main.yml'],
        ['magic', 'role_name', 'role_path', 'ansible_role_name'],
        ['magic', 'ansible_search_path'],
      ],
    ]);
    expect([include.module, include.args, include.role, include.source, layersOf(include)]).to.deep.equal([
      'include_tasks',
      { file: 'more.yml' },
      undefined,
      at(10, 7),
      [
        ['task vars', { i: 4 }, 'task vars'],
        ['magic', 'ansible_search_path'],
      ],
    ]);
    expect(plays[0]?.roles).to.deep.equal({ named: ['web'], dependencies: [] });
    expect(plays[0]?.handlers.map(({ name, role: of }) => [of, name?.value])).to.deep.equal([['web', 'H']]);
    expect(plays[0]?.layers.map(({ level, values }) => [level, values])).to.deep.equal([
      ['role defaults', { d: 1 }],
      ['role vars', { p: 3 }],
      ['role vars', { v: 2 }],
    ]);
  });
});
