import { expect } from 'chai';
import { judgeCondition, type WaitCondition } from '../../modules/wait_until/condition.js';
import type { Value } from '../../src/module/contract.js';

describe('the condition of wait_until', () => {
  const at = (value: Value | undefined, condition: WaitCondition) => {
    const { verdict, message } = judgeCondition({ field: 'x', ...condition }, value === undefined ? {} : { x: value });
    return `${verdict}: ${message}`;
  };

  for (const [value, wanted, isMet] of [
    [5, 5, true],
    [5, '5', false],
    ['5', 5, false],
    [true, true, true],
    ['UP', ['DOWN', 'UP'], true],
    ['UP', ['DOWN', 'OFF'], false],
    [4, '< 5', true],
    [5, '< 5', false],
    [5, '<= 5', true],
    [6, '<= 5', false],
    [6, '>5', true],
    [5, '> 5', false],
    [5n, '>= 5', true],
    [4.5, '>= 4.6', false],
    [-2, '< -1.5', true],
    ['4', '< 5', false],
    [true, '< 5', false],
    ['UP', 'in [UP, DEGRADED]', true],
    ['DEGRADED', `in ["UP",'DEGRADED']`, true],
    ['OFF', 'in [UP, DEGRADED]', false],
    ['OFF', 'not in [UP, DEGRADED]', true],
    ['UP', 'not in [UP, DEGRADED]', false],
    [5, 'in [5]', true],
    [5, '!= 0', true],
    [0, '!= 0', false],
    ['UP', `!= 'UP'`, false],
    ['UP', '!= "DOWN" ', true],
    ['in [UP', 'in [UP', true],
    ['', '!= UP', true],
    [undefined, '!= UP', false],
    [undefined, 'not in [UP]', false],
    [undefined, '< 5', false],
    [null, '!= UP', true],
  ] as readonly (readonly [Value | undefined, NonNullable<WaitCondition['value']>, boolean])[])
    it(`${JSON.stringify(wanted)} is ${isMet ? '' : 'not '}met by ${typeof value === 'bigint' ? value : JSON.stringify(value)}`, () => {
      expect(judgeCondition({ field: 'x', value: wanted }, value === undefined ? {} : { x: value }).verdict).to.equal(
        isMet ? 'reached' : 'not yet',
      );
    });

  it('says what the object has, and what it should have', () => {
    expect(at('DOWN', { value: ['UP', 5] })).to.equal('not yet: x is DOWN, not UP or 5');
    expect(at('UP', { value: 'UP' })).to.equal('reached: x is UP');
    expect(at(undefined, { value: 'UP' })).to.equal('not yet: the object has no x, not UP');
    expect(at({ a: 1 }, {})).to.equal('reached: x is {"a":1}');
    for (const empty of ['', null]) expect(at(empty, {})).to.match(/^not yet: x is /);
    expect(at(undefined, {})).to.equal('not yet: the object has no x');
    expect([at(0, {}), at(false, {})]).to.deep.equal(['reached: x is 0', 'reached: x is false']);
    expect(judgeCondition({ field: 'a.0.b' }, { a: [{ b: 'c' }] })).to.deep.equal({
      verdict: 'reached',
      message: 'a.0.b is c',
      value: 'c',
    });
    expect(judgeCondition({ field: 'x' }, {})).not.to.have.property('value');
    expect(judgeCondition({}, { a: 1 })).to.deep.include({ verdict: 'reached', value: { a: 1 } });
  });

  it('ends with a failure before it is met', () => {
    expect(at('DOWN', { value: 'UP', fail_on: 'DOWN' })).to.equal('failed: x is DOWN');
    expect(at('UP', { value: 'UP', fail_on: ['DOWN', '!= OFF'] })).to.equal('failed: x is UP');
    expect(at(undefined, { value: 'UP', fail_on: '!= OFF' })).to.match(/^not yet/);
    expect(at('UP', { value: 'UP', fail_on: 'DOWN' })).to.match(/^reached/);
  });

  const of = (elements: Value | undefined, condition: WaitCondition) => {
    const { verdict, message, value } = judgeCondition(condition, elements === undefined ? {} : { l: elements });
    return [`${verdict}: ${message}`, value];
  };
  const states = (...all: readonly string[]) => all.map((s) => ({ s }));

  it('counts the elements of a list', () => {
    const [up, both, down] = [states('UP', 'UP'), states('UP', 'DOWN', 'UP'), states('DOWN', 'OFF')];
    const all: WaitCondition = { all: 'l', field: 's', value: 'UP' };
    const any: WaitCondition = { any: 'l', field: 's', value: 'UP' };
    expect(of(up, all)).to.deep.equal(['reached: s of l is UP', ['UP', 'UP']]);
    expect(of(both, all)).to.deep.equal(['not yet: s of l is UP (2), DOWN (1), not all UP', ['UP', 'DOWN', 'UP']]);
    expect(of(both, any)[0]).to.equal('reached: s of l is UP (2), DOWN (1)');
    expect(of(down, any)[0]).to.equal('not yet: s of l is DOWN (1), OFF (1), not any UP');
    expect(of(both, { ...any, fail_on: 'DOWN' })[0]).to.equal('failed: s of l is UP (2), DOWN (1)');
    expect(of([{ s: 'UP' }, {}], all)).to.deep.equal(['not yet: s of l is UP (1), null (1), not all UP', ['UP', null]]);
  });

  it('is not met by a list that is empty or missing', () => {
    for (const condition of [{ all: 'l' }, { any: 'l' }] as const) {
      expect(of([], { ...condition, value: 'UP' })).to.deep.equal(['not yet: l is empty', []]);
      expect(of(undefined, condition)).to.deep.equal(['not yet: the object has no list l', undefined]);
      expect(of({}, condition)[0]).to.equal('not yet: the object has no list l');
      expect(of(['a', 'b'], condition)).to.deep.equal(['reached: l is a (1), b (1)', ['a', 'b']]);
    }
    expect(of(['a', ''], { all: 'l' })[0]).to.equal('not yet: l is a (1),  (1)');
    expect(of(['a', ''], { any: 'l' })[0]).to.equal('reached: l is a (1),  (1)');
  });
});
