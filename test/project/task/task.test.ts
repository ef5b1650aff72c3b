import { expect } from 'chai';
import type { Condition, Located } from '../../../src/core/model/playbook/step.js';
import { load, mistakes, playOf, task, tasksOf } from '../../rig/loaded.js';

function expressions(conditions: readonly Condition[] | undefined): unknown {
  return conditions?.map(({ expression }) => expression);
}

function value(located: Located | undefined): unknown {
  return located?.value;
}

describe('A task', () => {
  it('names a module by its key', async () => {
    const { module, args, argsPath, name } = await task('- name: Say it\n  debug:\n    msg: hello');
    expect({ module, args, argsPath, name: name?.value }).to.deep.equal({
      module: 'debug',
      args: { msg: 'hello' },
      argsPath: ['debug'],
      name: 'Say it',
    });
  });

  it('takes a whole number for a text only if it would be the same text as written', async () => {
    const number = (written: string): Promise<readonly string[]> =>
      mistakes(playOf(`- poolgroup_present:\n    name: web\n    members:\n      - priority_label: ${written}`));
    for (const written of ['1000', '-5', '18446744073709551615', '"1.0"'])
      expect(await number(written)).to.deep.equal([]);
    for (const written of ['1.0', '007', '0x10', '+5', '1e3'])
      expect(await number(written)).to.deep.equal([
        `site.yml:6:29 "members[0].priority_label" must be a string, not ${written} — quote it: "${written}"`,
      ]);
    expect(await number('2.50')).to.deep.equal([
      'site.yml:6:13 "members[0].priority_label" must be a string, not 2.5 — quote it: "2.50"',
    ]);
  });

  const calls: readonly (readonly [string, string, unknown])[] = [
    ['- debug: msg="a b" verbosity=1', 'debug', { msg: 'a b', verbosity: '1' }],
    ['- ansible.builtin.debug: {msg: x}', 'debug', { msg: 'x' }],
    ['- action: debug msg={{ a }}', 'debug', { msg: '{{ a }}' }],
    ['- action: {module: debug, msg: x}', 'debug', { msg: 'x' }],
    ['- debug:', 'debug', {}],
    ['- debug: "{{ arguments }}"', 'debug', '{{ arguments }}'],
    ['- debug:\n  args: {msg: x}', 'debug', { msg: 'x' }],
    ['- debug: {msg: own}\n  args: {msg: x, verbosity: 2}', 'debug', { msg: 'own', verbosity: 2 }],
    ['- set_fact: a=1 b="{{ c }}"', 'set_fact', { a: '1', b: '{{ c }}' }],
  ];
  for (const [text, module, args] of calls) {
    it(`calls ${JSON.stringify(text)}`, async () => {
      const loaded = await task(text);
      expect([loaded.module, loaded.args]).to.deep.equal([module, args]);
    });
  }

  it('has positions for its arguments', async () => {
    const { source, locate, argsPath } = await task('- name: x\n  debug:\n    msg: hello');
    expect(source).to.deep.equal({ file: 'site.yml', line: 3, column: 7 });
    expect(locate([...argsPath, 'msg'])).to.deep.equal({ file: 'site.yml', line: 5, column: 14 });
  });

  it('accepts one condition or a list', async () => {
    const one = await task('- debug:\n  when: a and b\n  changed_when: false\n  failed_when: [a, b]');
    expect(expressions(one.when)).to.deep.equal(['a and b']);
    expect(expressions(one.changedWhen)).to.deep.equal([false]);
    expect(expressions(one.failedWhen)).to.deep.equal(['a', 'b']);
    expect(one.when[0]?.source).to.deep.equal({ file: 'site.yml', line: 4, column: 13 });
  });

  it('ignores empty lists and empty values, as Ansible does', async () => {
    const one = await task('- debug:\n  when:\n  changed_when: []\n  failed_when: []\n  tags:\n  register:');
    expect([one.when, one.changedWhen, one.failedWhen, one.tags, one.register]).to.deep.equal([
      [],
      undefined,
      undefined,
      [],
      undefined,
    ]);
  });

  it('loops', async () => {
    const { loop } = await task(
      '- debug:\n  loop: [1, "{{ b }}"]\n  loop_control: {loop_var: x, index_var: i, label: "{{ x }}", pause: "1.5", extended: yes, break_when: x > 1, parallel: 4}',
    );
    expect({ ...loop, over: loop?.over.value }).to.deep.include({
      lookup: undefined,
      over: [1, '{{ b }}'],
      variable: 'x',
      indexVariable: 'i',
      extended: true,
    });
    expect([value(loop?.label), value(loop?.pause), value(loop?.parallel)]).to.deep.equal(['{{ x }}', 1.5, 4]);
    expect(expressions(loop?.breakWhen)).to.deep.equal(['x > 1']);
  });

  const loops: readonly (readonly [string, string, unknown])[] = [
    ['with_items: one', 'items', 'one'],
    ['with_list: "{{ all }}"', 'list', '{{ all }}'],
    ['with_dict: {a: 1}', 'dict', { a: 1 }],
    ['with_sequence: start=1 end=4', 'sequence', 'start=1 end=4'],
    ['with_first_found: {files: [a]}', 'first_found', { files: ['a'] }],
    ['with_ansible.builtin.nested: [[1], [2]]', 'nested', [[1], [2]]],
    ['with_community.general.flattened: [[1]]', 'flattened', [[1]]],
  ];
  for (const [text, lookup, over] of loops) {
    it(`loops with ${text}`, async () => {
      const { loop } = await task(`- debug:\n  ${text}`);
      expect([loop?.lookup, loop?.over.value, loop?.variable]).to.deep.equal([lookup, over, 'item']);
    });
  }

  it('retries', async () => {
    const { until } = await task('- debug:\n  until: r is succeeded\n  retries: "{{ n }}"\n  delay: 0.5\n  backoff: 2');
    expect(expressions(until?.until)).to.deep.equal(['r is succeeded']);
    expect([value(until?.retries), value(until?.delay), value(until?.backoff)]).to.deep.equal(['{{ n }}', 0.5, 2]);
    expect((await task('- debug:\n  retries: 2')).until).to.deep.include({ until: undefined });
  });

  it('reads flags in any spelling', async () => {
    const one = await task('- debug:\n  ignore_errors: "yes"\n  no_log: on\n  check_mode: "{{ x }}"\n  diff: 0');
    expect([one.ignoreErrors, one.noLog, one.checkMode, one.diff].map(value)).to.deep.equal([
      true,
      true,
      '{{ x }}',
      false,
    ]);
  });

  it('has its variables', async () => {
    const { layers } = await task('- name: T\n  debug:\n  vars: {a: "{{ b }}"}');
    expect(layers.map(({ level, values, origin }) => ({ level, values, origin }))[0]).to.deep.equal({
      level: 'task vars',
      values: { a: '{{ b }}' },
      origin: 'vars of "T"',
    });
    expect(layers[0]?.locate?.(['a'])).to.deep.equal({ file: 'site.yml', line: 5, column: 17 });
  });

  it('inherits tags and flags from its play', async () => {
    const { plays } = await load(
      '- hosts: all\n  tags: [p, q]\n  no_log: true\n  ignore_errors: true\n  tasks:\n    - debug:\n      tags: q, t\n      ignore_errors: false\n',
    );
    const [first] = tasksOf(plays[0]);
    expect(first?.tags).to.deep.equal(['p', 'q', 't']);
    expect([value(first?.noLog), value(first?.ignoreErrors)]).to.deep.equal([true, false]);
  });

  it('notifies handlers and topics', async () => {
    const { plays, diagnostics } = await load(
      `${playOf('- debug:\n  notify: [H, topic, "{{ x }}"]')}  handlers:\n    - name: H\n      debug:\n    - debug:\n      listen: topic\n      notify: H\n`,
    );
    expect(diagnostics).to.deep.equal([]);
    expect(tasksOf(plays[0])[0]?.notify.map(value)).to.deep.equal(['H', 'topic', '{{ x }}']);
    expect(plays[0]?.handlers.map(({ name, listen }) => [name?.value, listen])).to.deep.equal([
      ['H', []],
      [undefined, ['topic']],
    ]);
  });
});
