import { expect } from 'chai';
import { Diagnostics, placeText } from '../../src/core/model/source/diagnostic.js';
import { checkTemplates } from '../../src/language/check.js';
import { renderValue } from '../../src/language/render.js';
import { TemplateError } from '../../src/language/runtime/errors.js';
import { parseYaml } from '../../src/project/yaml/parse_yaml.js';
import { failure, variables } from './scopes.js';

/** Each problem in a file as `line:column message`, found before the run and when the value is rendered. */
function problems(text: string): { readonly checked: readonly string[]; readonly rendered: string | undefined } {
  const { value = null, locate } = parseYaml(text, 'x', new Diagnostics()) ?? {};
  if (locate === undefined) throw new Error('it cannot be parsed');
  const worded = (source: Parameters<typeof placeText>[0] | undefined, message: string): string =>
    `${source === undefined ? '' : placeText(source).slice(2)} ${message}`;
  const checked = checkTemplates(value, locate).map(({ source, message }) => worded(source, message));
  const error = failure(() => renderValue(value, variables({}), locate));
  return { checked, rendered: error instanceof TemplateError ? worded(error.source, error.message) : undefined };
}

describe('a mistake in a block of text', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    [
      'in a later line',
      'a:\n  b: |\n    one\n\n    two {{ x | uper }}\n',
      '5:9',
      'there is no filter or function "uper"',
    ],
    [
      'after empty lines',
      'a: |+ # c\n\n\n    one\n      {{ x | }}\n\n',
      '5:7',
      'cannot read the expression "x |": it ends where the name of a filter is expected',
    ],
    [
      'in a block with its own indentation',
      'a: |2\n    one\n  {{ x | uper }}\n',
      '3:3',
      'there is no filter or function "uper"',
    ],
    [
      'with line breaks of Windows',
      'a: |\r\n  one\r\n  {{ x | uper }}\r\n',
      '3:3',
      'there is no filter or function "uper"',
    ],
    [
      'in a statement',
      'a: |\n  {% for n in [1] %}\n  x\n  {% endif %}\n',
      '4:3',
      '{% endif %} cannot close {% for n in [1] %}, opened 2 lines above',
    ],
    [
      'in a folded text, whose lines are joined',
      'a: >\n  one\n\n  {{ x | }}\n',
      '1:4',
      'cannot read the expression "x |": it ends where the name of a filter is expected (line 2)',
    ],
  ];
  for (const [where, text, place, message] of cases) {
    it(`has its line in the file: ${where}`, () => {
      const { checked, rendered } = problems(text);
      expect(checked).to.deep.equal([`${place} ${message}`]);
      expect(rendered).to.include(message);
    });
  }

  it('has its line in the file when a value is missing, also in a loop', () => {
    const message = 'variable "x" is not defined';
    expect(problems('a: |\n  one\n  two {{ x }}\n')).to.deep.equal({ checked: [], rendered: `3:7 ${message}` });
    const loop = '- 1\n- |\n  {% for n in [1] %}\n  {{ n }}\n  {{ x }}\n  {% endfor %}\n';
    expect(problems(loop)).to.deep.equal({ checked: [], rendered: `5:3 ${message}` });
    expect(problems('a: "one\\n{{ x }}"\n')).to.deep.equal({ checked: [], rendered: `1:4 ${message}` });
  });
});
