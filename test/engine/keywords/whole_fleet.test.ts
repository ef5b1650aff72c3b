import { expect } from 'chai';
import { allSteps } from '../../../src/core/model/playbook/playbook.js';
import { hasLater, type Mapping, type Value } from '../../../src/core/model/values/value.js';
import { FutureObject, isAsPlanned, renderKnown } from '../../../src/engine/keywords/known_after_apply.js';
import { materialized, requireData, requireResult } from '../../../src/engine/keywords/plain_data.js';
import { fleetNeeds, isDelegatedHere } from '../../../src/engine/keywords/whole_fleet.js';
import { Variables } from '../../../src/language/scope.js';
import { failure } from '../../language/scopes.js';
import { load, playOf } from '../../rig/loaded.js';

describe('what a shard cannot do', () => {
  const needs = async (tasks: string): Promise<readonly string[]> => {
    const { plays } = await load(playOf(tasks));
    const found = fleetNeeds(
      [...plays.flatMap(allSteps), ...plays.flatMap(({ handlers }) => handlers)],
      (name) => name === 'lb1',
    );
    return found.map(({ message, source }) => `${source.line}:${source.column} ${message}`);
  };
  const ONCE = 'run_once would run in each shard, with its own result and handlers';
  const AWAY = 'delegate_to may lead to a controller at which another shard is at work';
  const VARS = 'hostvars of another controller: a shard does not know what other shards set';
  const only = (name: string): string => `"${name}" would list the controllers of this shard only`;
  const cases: readonly (readonly [task: string, needs: readonly string[]])[] = [
    ['debug: { msg: a }', []],
    ['add_host: { name: x }', ['3:7 the other shards would not know what add_host adds']],
    ['{ set_fact: { a: 1 }, run_once: true }', [`3:39 ${ONCE}`]],
    ['{ debug: { msg: a }, run_once: true }', []],
    ['{ pause: , run_once: true }', []],
    ['{ debug: { msg: a }, run_once: true, register: r }', [`3:38 ${ONCE}`]],
    ['{ debug: { msg: a }, run_once: true, notify: Reload }', [`3:38 ${ONCE}`]],
    ['{ set_fact: { a: 1 }, run_once: false }', []],
    ['{ debug: , any_errors_fatal: true }', ['3:36 any_errors_fatal would not end the other shards']],
    ['{ debug: , any_errors_fatal: false }', []],
    ['{ debug: , delegate_to: lb2 }', [`3:31 ${AWAY}`]],
    ['{ debug: , delegate_to: localhost }', []],
    ["{ debug: , delegate_to: '{{ inventory_hostname }}' }", []],
    ["{ debug: , delegate_to: '{{ x }}' }", [`3:31 ${AWAY}`]],
    ['meta: end_play', ['3:7 meta end_play would end the play in this shard only']],
    ['meta: end_batch', ['3:7 meta end_batch would end the play in this shard only']],
    ['meta: clear_host_errors', ['3:7 meta clear_host_errors would clear failures of this shard only']],
    ['meta: end_host', []],
    ["{ debug: { msg: '{{ hostvars[x].y }}' } }", [`3:23 ${VARS}`]],
    ["{ debug: { msg: '{{ hostvars[ inventory_hostname ].y }} {{ a.hostvars }} hostvars' } }", []],
    ["{ debug: { msg: 'play_hosts' } }", []],
    [
      "{ debug: { msg: ['{{ play_hosts }}', { a: '{% if ansible_play_batch %}{% endif %}' }] } }",
      [`3:24 ${only('play_hosts')}`, `3:49 ${only('ansible_play_batch')}`],
    ],
    ['{ debug: { var: play_hosts } }', [`3:23 ${only('play_hosts')}`]],
    ['{ assert: { that: [play_hosts, x] } }', [`3:26 ${only('play_hosts')}`]],
    ['{ debug: , when: [x, ansible_play_hosts] }', [`3:28 ${only('ansible_play_hosts')}`]],
    ['{ debug: , until: play_hosts }', [`3:25 ${only('play_hosts')}`]],
    ['{ debug: , changed_when: play_hosts, failed_when: hostvars.a }', [`3:32 ${only('play_hosts')}`, `3:57 ${VARS}`]],
    ["{ debug: , loop: '{{ play_hosts }}' }", [`3:24 ${only('play_hosts')}`]],
    [
      "{ debug: , loop: [1], loop_control: { label: '{{ play_hosts }}', break_when: hostvars.a } }",
      [`3:84 ${VARS}`, `3:52 ${only('play_hosts')}`],
    ],
    ["{ block: [{ debug: }], loop: '{{ play_hosts }}' }", [`3:7 ${only('play_hosts')}`]],
    ['{ block: [{ debug: }], loop: [1], loop_control: { break_when: play_hosts } }', [`3:69 ${only('play_hosts')}`]],
    ['{ block: [{ debug: , when: play_hosts }] }', [`3:34 ${only('play_hosts')}`]],
  ];
  for (const [task, expected] of cases)
    it(`- ${task}`, async () => {
      expect(await needs(`- ${task}`)).to.deep.equal(expected);
    });

  it('is not where the task goes to this machine', () => {
    const names = ['localhost', ' 127.0.0.1 ', 'lb1', '{{inventory_hostname}}', '{{ inventory_hostname }}x', 5];
    expect(names.map((name) => isDelegatedHere(name, () => false))).to.deep.equal([
      true,
      true,
      false,
      true,
      false,
      false,
    ]);
    expect(isDelegatedHere('localhost', (name) => name === 'localhost')).to.equal(false);
  });
});

describe('what a module returns', () => {
  const refused = (value: unknown): string => {
    try {
      requireData({ values: value, facts: {} }, 'own');
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };

  it('is data, of at most 300 levels', () => {
    expect(refused({ a: [1, null, 'x', true, 2n ** 64n] })).to.equal('');
    expect(refused(undefined)).to.equal('');
    expect(refused({ b: undefined })).to.equal('the module own returned undefined in "values.b"');
    expect(refused({ a: [1, { b: () => 1 }] })).to.equal('the module own returned a function in "values.a.1.b"');
    expect(refused({ a: Symbol('x') })).to.equal('the module own returned a symbol in "values.a"');
    expect(refused([5n])).to.equal('the module own returned a bigint in "values.0"');
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(refused(nested(300))).to.equal('');
    expect(refused(nested(301))).to.equal(
      'the module own returned "values.0.0", which is nested more than 300 levels deep, or contains itself',
    );
  });

  it('has a status or a change', () => {
    const returns = {
      run: "it returns { status: 'ok' }, or 'changed', 'skipped' or 'failed' with a message",
      plan: "it returns { change: { kind: 'none' } }, or a change to make",
    };
    for (const [given, of, message] of [
      [undefined, 'run', 'returned nothing'],
      [null, 'plan', 'returned nothing'],
      [{}, 'run', 'returned no known "status"'],
      [{ status: 'fine' }, 'run', 'returned no known "status"'],
      [{ change: null }, 'plan', 'returned no whole "change"'],
      [{ status: 'failed', message: 5 }, 'run', 'returned a message or hint that is not text'],
      [{ status: 'failed', message: 'x', hint: ['y'] }, 'run', 'returned a message or hint that is not text'],
      ['ok', 'run', 'returned no known "status"'],
      [{ status: 'ok', values: [1] }, 'run', 'returned values or facts that are not a mapping'],
      [{ status: 'ok', facts: 'x' }, 'run', 'returned values or facts that are not a mapping'],
      [{ status: 'changed', change: 'x' }, 'run', 'returned no whole "change"'],
      [{ status: 'changed', change: { kind: 'odd', object: 'x' } }, 'run', 'returned no whole "change"'],
      [{ status: 'changed', change: { kind: 'invoke' } }, 'run', 'returned no whole "change"'],
      [{ change: { kind: 'invoke', object: 'x' } }, 'plan', 'returned no whole "change"'],
      [{ change: { kind: 'update', before: {}, after: {} } }, 'plan', 'returned no whole "change"'],
      [{ change: { kind: 'update', object: 'x', before: [], after: {} } }, 'plan', 'returned no whole "change"'],
      [{ change: { kind: 'none' }, refusal: 5 }, 'plan', 'returned a refusal or warning that is not text'],
      [{ change: { kind: 'none' }, warnings: 'x' }, 'plan', 'returned a refusal or warning that is not text'],
      [{ change: { kind: 'none' }, warnings: [5] }, 'plan', 'returned a refusal or warning that is not text'],
      ...[{ key: 'x' }, ['key'], [['key']], [[1, 'x']]].map(
        (hidden) =>
          [
            { change: { kind: 'none' }, hidden },
            'plan',
            'returned "hidden" that is not a list of pairs of a path and a secret',
          ] as const,
      ),
    ] as const)
      expect(
        failure(() => {
          requireResult(given, of, 'own');
        }),
      ).to.deep.include({ message: `"${of}" of the module own ${message}`, hint: returns[of] });
    for (const status of ['ok', 'changed', 'skipped', 'failed', 'interrupted']) requireResult({ status }, 'run', 'own');
    requireResult({ status: 'failed', message: 'x', hint: 'y' }, 'run', 'own');
    requireResult({ status: 'changed', change: { kind: 'invoke', object: 'x' } }, 'run', 'own');
    requireResult({ change: { kind: 'none' }, refusal: 'x', warnings: ['y'], hidden: [['key', 1]] }, 'plan', 'own');
    for (const before of [null, {}])
      requireResult({ change: { kind: 'update', object: 'x', before, after: {} } }, 'plan', 'own');
  });
});

describe('what is known after a write', () => {
  const LATER = '(known after apply)';
  const object = new FutureObject({ name: 'edge', mtu: 1 }, 'cloud "edge"');
  const scope = new Variables([{ level: 'play vars', origin: 'x', values: { made: object, a: 1 }, literal: true }]);
  const rendered = (value: Value): Value => renderKnown(value, scope, () => ({ file: 'x', line: 1, column: 1 }));

  it('is the part that was not declared', () => {
    expect(
      rendered({ a: '{{ made.name }}', b: ['{{ made.uuid }}', '{{ a }}'], c: 'x {{ made.uuid }}', d: 5 }),
    ).to.deep.equal({
      a: 'edge',
      b: [LATER, 1],
      c: LATER,
      d: 5,
    });
    expect(rendered('{{ made.uuid }}')).to.equal(LATER);
    const nested = { a: [1, { b: '{{ made.uuid }}', c: '{{ nothing }}' }] };
    const locate = (path: readonly (string | number)[]) => ({ file: path.join('.'), line: 1, column: 1 });
    expect(failure(() => renderKnown(nested, scope, locate))).to.deep.include({
      message: 'variable "nothing" is not defined',
      source: { file: 'a.1.c', line: 1, column: 1 },
    });
    expect(failure(() => object.get('uuid')))
      .to.have.property('message')
      .that.includes('"uuid" of cloud "edge"');
    expect([...object.keys()]).to.deep.equal(['name', 'mtu']);
    expect(materialized({ x: object })).to.deep.equal({ x: { name: 'edge', mtu: 1 } });
  });

  it('may be anything when the plan is applied', () => {
    expect([LATER, `x ${LATER}`, ['a', { b: LATER }], { a: [LATER] }].map(hasLater)).to.deep.equal(Array(4).fill(true));
    expect(['x', ['a'], { a: null }, 5, null, undefined].map(hasLater)).to.deep.equal(Array(6).fill(false));
    const planned: Mapping = { a: LATER, b: [1, `x ${LATER}`], c: { d: 'e' } };
    const cases: readonly (readonly [now: Value, same: boolean])[] = [
      [{ a: 5, b: [1, 'y'], c: { d: 'e' } }, true],
      [{ a: [], b: [1, null], c: { d: 'e' } }, true],
      [{ a: 5, b: [2, 'y'], c: { d: 'e' } }, false],
      [{ a: 5, b: [1], c: { d: 'e' } }, false],
      [{ a: 5, b: 1, c: { d: 'e' } }, false],
      [{ a: 5, b: [1, 'y'], c: { d: 'f' } }, false],
      [{ a: 5, b: [1, 'y'], c: { x: 'e' } }, false],
      [{ a: 5, b: [1, 'y'], c: { d: 'e' }, z: 1 }, false],
      [{ b: [1, 'y'], c: { d: 'e' } }, false],
      [[], false],
    ];
    expect([isAsPlanned(['a'], 'a'), isAsPlanned(['a'], ['a']), isAsPlanned([], '')]).to.deep.equal([
      false,
      true,
      false,
    ]);
    for (const [now, same] of cases) expect(isAsPlanned(planned, now), JSON.stringify(now)).to.equal(same);
  });
});
