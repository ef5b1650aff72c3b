import { expect } from 'chai';
import { LoadError } from '../../../src/core/model/source/diagnostic.js';
import { Unsafe, Vaulted, type Value } from '../../../src/core/model/values/value.js';
import { TaskProblem } from '../../../src/engine/keywords/failed_result.js';
import { FutureObject } from '../../../src/engine/keywords/known_after_apply.js';
import {
  AT_RUN_TIME,
  filledIn,
  KnownValues,
  plainValue,
  type Unrenderable,
} from '../../../src/engine/render/known_value.js';
import { NotKnownYet, TemplateError } from '../../../src/language/runtime/errors.js';
import { OMIT } from '../../../src/language/runtime/result.js';
import { HERE, variables } from '../../language/scopes.js';

const MASK = '********';
const vaulted = new Vaulted(
  '$ANSIBLE_VAULT',
  () => HERE,
  () => 'secret',
);
const OTHER = { file: 'other.yml', line: 1, column: 2 };

describe('a value that is known before the run', () => {
  const scope = variables({ site: 'fra', n: 5, key: 'name', made: new FutureObject({ a: 1 }, 'cloud "x"') });
  const found: Unrenderable[] = [];
  const values = new KnownValues((problem) => found.push(problem));
  const of = (value: Value): Value | undefined =>
    values.known(value, scope, (path) => ({ file: path.join('.'), line: 1, column: 1 }));

  it('has its templates filled in, also in names, without what is left out', () => {
    expect(
      of({
        '{{ key }}': '{{ site }}',
        '{{ n }}': ['{{ n }}', '{{ omit }}', 'x {{ n }}', true, null],
        omitted: '{{ omit }}',
        deep: { omitted: '{{ omit }}' },
        unsafe: new Unsafe('{{ site }}'),
        vaulted,
      }),
    ).to.deep.equal({
      name: 'fra',
      '{{ n }}': [5, 'x 5', true, null],
      deep: {},
      unsafe: '{{ site }}',
      vaulted: MASK,
    });
    expect([of('{{ omit }}'), of('{{ made.b }}'), found]).to.deep.equal([undefined, AT_RUN_TIME, []]);
  });

  it('is replaced by the reason if it cannot be rendered, which is told unless the step is doubtful', () => {
    const text = '(cannot be rendered: variable "nobody" is not defined)';
    expect(of({ a: ['x', '{{ nobody }}'] })).to.deep.equal({ a: ['x', text] });
    const source = { file: 'a.1', line: 1, column: 1 };
    const told = [{ message: 'variable "nobody" is not defined', source, hint: found[0]?.hint }];
    expect(found.splice(0)).to.deep.equal(told);
    expect(values.doubting(true, () => values.doubting(false, () => of('{{ nobody }}')))).to.equal(text);
    values.doubt();
    values.doubt();
    values.trust();
    expect([of('{{ nobody }}'), found]).to.deep.equal([text, []]);
    values.trust();
    expect([values.doubting(false, () => of('{{ nobody }}')), found.splice(0).length]).to.deep.equal([text, 1]);
    for (const error of [
      new TemplateError('no', { source: OTHER, hint: 'h' }),
      new TaskProblem('no', OTHER, 'h'),
      new LoadError('no', OTHER, 'h'),
    ])
      expect(values.because(error, () => HERE)).to.equal('(cannot be rendered: no)');
    values.because(new TaskProblem('bare'), () => HERE);
    expect(found.splice(0)).to.deep.equal([
      ...Array<Unrenderable>(3).fill({ message: 'no', source: OTHER, hint: 'h' }),
      { message: 'bare', source: HERE, hint: undefined },
    ]);
    expect(values.because(new NotKnownYet('an encrypted value'), () => HERE)).to.equal(MASK);
    expect(values.because(new NotKnownYet('a fact'), () => HERE)).to.equal(AT_RUN_TIME);
    expect(() => values.because(new RangeError('other'), () => HERE)).to.throw(RangeError, 'other');
  });

  it('is plain data', () => {
    const lazy = new FutureObject({ a: 1, b: vaulted }, 'x');
    const given = [OMIT, vaulted, new Unsafe('{{ x }}'), [lazy, { c: new Unsafe('y') }], null, 5];
    expect(given.map(plainValue)).to.deep.equal([OMIT, MASK, '{{ x }}', [{ a: 1, b: MASK }, { c: 'y' }], null, 5]);
  });

  it('is learned as a secret only where a template filled it in', () => {
    const written = new Set(['as written', '7']);
    const value = { a: 'filled', b: ['as written', 7, 8, true], c: AT_RUN_TIME, d: MASK, e: '(cannot be rendered: x)' };
    expect(filledIn(value, written)).to.deep.equal({
      a: 'filled',
      b: [null, null, 8, true],
      c: null,
      d: null,
      e: null,
    });
  });
});
