import { expect } from 'chai';
import { evaluate, isTrue } from '../../src/language/condition.js';
import { Library } from '../../src/language/library.js';
import { BUILT_IN } from '../../src/language/library/index.js';
import { callable } from '../../src/language/runtime/callable.js';
import { TemplateError } from '../../src/language/runtime/errors.js';
import { Variables } from '../../src/language/scope.js';
import { failure, HERE, layer, variables } from './scopes.js';

const scope = variables({
  env: 'prod',
  canary: false,
  off: 'false',
  result: { changed: true, failed: false, skipped: false, stdout: 'ok' },
  list: [1],
});

function holds(expression: string | boolean | null): boolean {
  return isTrue(evaluate(expression, scope, HERE));
}

describe('a condition', () => {
  it('is a bare expression, in either form', () => {
    expect(holds('env == "prod" and not canary')).to.equal(true);
    expect(holds('and (eq env "prod") (not canary)')).to.equal(true);
    expect(holds('result is changed and result is succeeded and result is not skipped')).to.equal(true);
    expect(holds('result is failed or "ok" not in result.stdout')).to.equal(false);
    expect(holds('missing is defined and missing.x == 1')).to.equal(false);
  });

  const escapes: readonly (readonly [written: string, text: string])[] = [
    [String.raw`\a\b\f\n\r\t\v`, '\x07\b\f\n\r\t\v'],
    [String.raw`\\ \" \'`, '\\ " \''],
    ['a\\\nb', 'ab'],
    [String.raw`\0\101\x41\u00e9\U0001F600`, '\0AAé😀'],
    [String.raw`\d\1\U00110000`, '\\d\x01\\U00110000'],
  ];
  for (const [written, text] of escapes)
    it(`reads the escapes of Python in ${JSON.stringify(written)}`, () => {
      for (const quote of ['"', "'"])
        if (!written.replaceAll(/\\./gs, '').includes(quote))
          expect(evaluate(`${quote}${written}${quote}`, scope, HERE)).to.equal(text);
    });

  it('can be a boolean, and is true if it is empty', () => {
    expect([holds(true), holds(false), holds(null), holds('')]).to.deep.equal([true, false, true, true]);
  });

  it('has the truth values of Ansible: the text "false" is true, empty values are false', () => {
    expect(holds('off')).to.equal(true);
    expect(holds('off | bool')).to.equal(false);
    expect([0, '', null, false, [], {}].map(isTrue)).to.deep.equal([false, false, false, false, false, false]);
    expect([1, 'no', true, [0], { a: 0 }].map(isTrue)).to.deep.equal([true, true, true, true, true]);
  });

  it('can be in braces as a whole, as in Ansible; there, the text false is false', () => {
    expect(holds('{{ env == "prod" }}')).to.equal(true);
    expect(holds('{{ off }}')).to.equal(false);
  });

  it('can contain braces, whose result is evaluated', () => {
    expect(holds('"{{ env }}" == "prod"')).to.equal(true);
    expect(holds('{{ list | length }} > 1 or {{ canary }}')).to.equal(false);
    expect(holds('{{ "env == \'prod\'" }}')).to.equal(true);
    expect(failure(() => evaluate('{{ env }} == "prod"', scope, HERE))).to.deep.include({
      message: 'variable "prod" is not defined',
      source: HERE,
    });
  });

  it('can only compare if it comes from braces: it cannot read files or run programs', () => {
    const texts = [
      `lookup('pipe', 'date')`,
      `query('file', '/etc/passwd')`,
      `['date'] | map('look' ~ 'up', 'pipe') | list`,
      `x is defined and q('env', 'HOME')`,
      `pipe('date')`,
      `'/etc/passwd' | file`,
      `'/etc/passwd' is exists`,
      `env('HOME')`,
    ];
    const answers = variables({ answer: '' });
    for (const text of texts) {
      const own = variables({ answer: text });
      expect(
        failure(() => evaluate('{{ answer }}', own, HERE)),
        text,
      )
        .to.be.instanceOf(TemplateError)
        .with.property('message')
        .that.matches(/a condition made by \{\{ \}\} must not call/);
    }
    expect(isTrue(evaluate('{{ answer }}', answers, HERE))).to.equal(false);
    const table = BUILT_IN.with(new Map([['mine', callable('value', () => true)]]));
    const own = new Variables([layer({ answer: "'x' | mine" })], undefined, undefined, new Library(table));
    expect(failure(() => evaluate('{{ answer }}', own, HERE))).to.include({
      message: 'a condition made by {{ }} must not call "mine"',
    });
  });

  it('is an error with its position if it cannot be evaluated', () => {
    expect(failure(() => evaluate('enw == "prod"', scope, HERE))).to.deep.include({
      message: 'variable "enw" is not defined',
      hint: 'did you mean "env"?',
      source: HERE,
    });
    expect(failure(() => evaluate('list is changed', scope, HERE))).to.deep.include({
      message: 'changed: the result of a task is needed, not a list',
      hint: 'register: a name, and test that',
      source: HERE,
    });
    expect(failure(() => evaluate('[1, 2].index(5) == 0', scope, HERE))).to.deep.include({
      message: 'index: the list does not contain "5"',
    });
  });
});
