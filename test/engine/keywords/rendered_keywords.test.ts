import { expect } from 'chai';
import type { Task } from '../../../src/core/model/playbook/step.js';
import type { Value } from '../../../src/core/model/values/value.js';
import { loopItems } from '../../../src/engine/keywords/loop_items.js';
import {
  allHold,
  conditionText,
  firstBroken,
  renderFlag,
  renderFlagOr,
  renderNumber,
  renderNumberOr,
  renderTitle,
  renderUnlessOmitted,
} from '../../../src/engine/keywords/rendered_keywords.js';
import { failure, HERE, variables } from '../../language/scopes.js';

const scope = variables({ on: ' Yes ', off: 'no', blank: '  ', nothing: null, seven: '7', word: 'many', list: [1] });
const at = (value: Value) => ({ value, source: HERE });

describe('a keyword with a template', () => {
  it('is a flag in each way that Ansible writes one, with blanks around it', () => {
    for (const [value, flag] of [
      [true, true],
      [false, false],
      ['{{ on }}', true],
      ['{{ off }}', false],
      ['{{ blank }}', false],
      ['{{ nothing }}', false],
      [' true ', true],
      ['y', true],
      ['1', true],
      [1, true],
      [0, false],
      ['off', false],
    ] as const)
      expect(renderFlag('diff', at(value), scope), JSON.stringify(value)).to.equal(flag);
    for (const [value, shown] of [
      ['{{ word }}', 'the text "many"'],
      [2, 'the number 2'],
      ['{{ list }}', 'a list'],
    ] as const)
      expect(failure(() => renderFlag('diff', at(value), scope)))
        .to.have.property('message')
        .that.equals(`diff must be true or false, not ${shown}`);
  });

  it('is a number, also as text', () => {
    expect(
      [5, '5', ' 5.5 ', '{{ seven }}', '-1'].map((value) => renderNumber('delay', at(value), scope)),
    ).to.deep.equal([5, 5, 5.5, 7, -1]);
    for (const value of ['{{ word }}', '', ' ', '{{ blank }}', '{{ nothing }}', true, '1e999', [1]])
      expect(
        failure(() => renderNumber('delay', at(value), scope)),
        JSON.stringify(value),
      )
        .to.have.property('message')
        .that.matches(/^delay must be a number, not /);
  });

  it('has its default if it is absent or omitted', () => {
    const omitted = at('{{ gone | default(omit) }}');
    for (const absent of [undefined, omitted]) {
      expect(renderUnlessOmitted(absent, scope)).to.equal(undefined);
      expect([renderFlagOr(true, 'diff', absent, scope), renderFlagOr(false, 'diff', absent, scope)]).to.deep.equal([
        true,
        false,
      ]);
      expect(renderNumberOr(3, 'delay', absent, scope)).to.equal(3);
    }
    expect(renderFlagOr(true, 'diff', at(false), scope)).to.equal(false);
    expect([
      renderFlagOr(false, 'diff', at('{{ on }}'), scope),
      renderNumberOr(3, 'delay', at('{{ seven }}'), scope),
    ]).to.deep.equal([true, 7]);
    expect(renderNumberOr(3, 'delay', at(0), scope)).to.equal(0);
  });
});

describe('a keyword that is omitted', () => {
  it('has the value of the nearest around it that is not', () => {
    const omitted = at('{{ gone | default(omit) }}');
    const around = { ...omitted, outer: { ...omitted, outer: at('{{ seven }}') } };
    expect(renderUnlessOmitted(around, scope)).to.deep.equal({ value: '7', source: HERE });
    expect(renderNumberOr(3, 'delay', around, scope)).to.equal(7);
    expect(renderUnlessOmitted({ ...omitted, outer: omitted }, scope)).to.equal(undefined);
  });
});

describe('the title of a step', () => {
  it('is its name, else its module, after its role', () => {
    const title = (step: object, given = () => scope): string => renderTitle(step as Task, given, undefined);
    const task = { type: 'task', module: 'debug', args: {} };
    for (const [step, expected] of [
      [task, 'debug'],
      [{ ...task, name: at('Say {{ seven }}') }, 'Say 7'],
      [{ ...task, name: at('Say {{ gone }}') }, 'Say {{ gone }}'],
      [{ ...task, name: at('Say'), role: 'web' }, 'web : Say'],
      [{ ...task, role: 'web' }, 'web : debug'],
      [{ type: 'include', module: 'include_role', args: { name: 'db' } }, 'include_role : db'],
      [{ type: 'include', module: 'include_role', args: 'name=db' }, 'include_role'],
      [{ type: 'include', module: 'include_tasks', args: { name: 'db' } }, 'include_tasks'],
      [{ type: 'meta', action: 'noop' }, 'meta: noop'],
    ] as const)
      expect(title(step)).to.equal(expected);
    const needsNone = (): never => {
      throw new Error('it has no template');
    };
    expect(title({ ...task, name: at('Say') }, needsNone)).to.equal('Say');
  });
});

describe('the conditions of a step', () => {
  const all = (...expressions: readonly Value[]) => expressions.map((expression) => ({ expression, source: HERE }));

  it('are evaluated in order, up to the first that is false', () => {
    expect(firstBroken(all('seven == "7"', 'on is defined', true), scope)).to.equal(undefined);
    expect(firstBroken(all('true', 'seven == "8"', 'false', 'gone.x'), scope)?.expression).to.equal('seven == "8"');
    expect([allHold([], scope), allHold(all(true, false), scope), allHold(all(true), scope)]).to.deep.equal([
      true,
      false,
      true,
    ]);
    const last = { file: 'when.yml', line: 9, column: 3 };
    expect(failure(() => allHold([...all(true), { expression: 'gone.x', source: last }], scope))).to.deep.include({
      message: 'variable "gone" is not defined',
      source: last,
    });
    expect(conditionText(all('a == 1', true, [1]))).to.equal('a == 1 and true and [1]');
  });
});

describe('a loop over something else than a list', () => {
  const message = (value: Value, lookup?: string) => {
    const loop = { lookup, over: at(value), variable: 'item', indexVariable: undefined, label: undefined } as const;
    const more = { pause: undefined, extended: false, allItems: true, breakWhen: undefined, parallel: undefined };
    const error = failure(() => loopItems({ ...loop, ...more }, scope)) as { message: string; hint?: string };
    return [error.message, error.hint];
  };

  it('is refused, with what to write for a mapping', () => {
    expect(message({ a: 1 })).to.deep.equal([
      'loop needs a list, not a mapping',
      'for a mapping write: loop: "{{ variable | dict2items }}"',
    ]);
    expect(message('text')).to.deep.equal(['loop needs a list, not the text "text"', undefined]);
    expect(message(5)).to.deep.equal(['loop needs a list, not the number 5', undefined]);
  });
});
