import { expect } from 'chai';
import { Diagnostics } from '../../../../src/core/model/source/diagnostic.js';
import { tooDeepAt } from '../../../../src/core/model/values/nesting.js';
import { evaluate } from '../../../../src/language/condition.js';
import { coerceRendered } from '../../../../src/module/arguments/coercion.js';
import { parseYaml } from '../../../../src/project/yaml/parse_yaml.js';
import { failure, HERE, variables } from '../../../language/scopes.js';
import { worded } from '../../../rig/loaded.js';

/** Blocks below one another: a line each. */
const blocks = (levels: number, line: string): string =>
  Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}${line}\n`).join('');
const brackets = (count: number): string => '['.repeat(count) + ']'.repeat(count);

describe('texts that are nested too deeply', () => {
  it('are reported with their position, before any library sees them', () => {
    const said = (text: string): readonly string[] => {
      const diagnostics = new Diagnostics();
      expect(parseYaml(text, 'a.yml', diagnostics)).to.equal(undefined);
      return diagnostics.list.map(worded);
    };
    expect(said(`a: 1\nb: ${brackets(3000)}`)).to.deep.equal(['a.yml:2:304 this is nested more than 300 levels deep']);
    expect(said('{"a":'.repeat(3000))).to.deep.equal(['a.yml:1:1501 this is nested more than 300 levels deep']);
    for (const line of ['a:', '-', '? a', 'a: # a', '"a":'])
      expect(said(`${blocks(3000, line)}${' '.repeat(3000)}x: 1\n`), line).to.deep.equal([
        'a.yml:301:301 this is nested more than 300 levels deep',
      ]);
    for (const level of ['- ', '? ', '!a ', '&a '])
      expect(said(`a: 1\n${level.repeat(20_000)}x`)).to.deep.equal([
        'a.yml:2:1 this is nested more than 300 levels deep',
      ]);
  });

  it('are read down to the deepest level that is allowed', () => {
    for (const line of ['a:', '"a":']) {
      const diagnostics = new Diagnostics();
      expect(parseYaml(`${blocks(299, line)}${' '.repeat(299)}x: 1\n`, 'a.yml', diagnostics)?.value).to.be.an('object');
      expect(diagnostics.list).to.deep.equal([]);
    }
  });

  it('do not count brackets in quotes, comments or text', () => {
    const many = '['.repeat(400);
    const texts = [
      brackets(300),
      `a: "${many}"`,
      `a: [1, "\\"${many}", '${many}']`,
      `a: [1, # ${many}\n  2]`,
      `a: |\n  [\n${'  [ x\n'.repeat(400)}b: 1\n`.replaceAll('  [ x', '  [ x\nc: 1'),
      `a: don't\nb: [x]\n`.repeat(400),
      '-'.repeat(1000),
      `a: 1\n${`${' '.repeat(400)}# far to the right\n`.repeat(400)}`,
      `a: |\n${`  x\n${' '.repeat(400)}y\n`.repeat(400)}`,
    ];
    expect(texts.map(tooDeepAt)).to.deep.equal(texts.map(() => undefined));
  });

  it('are reported by filters, and stay text if they cannot be converted', () => {
    const scope = variables({ text: brackets(5000), items: '- '.repeat(5000) });
    for (const [expression, name] of [
      ['text | from_json', 'from_json'],
      ['text | from_yaml', 'from_yaml'],
      ['items | from_yaml', 'from_yaml'],
      ['text | from_yaml_all', 'from_yaml_all'],
    ] as const)
      expect(failure(() => evaluate(expression, scope, HERE)))
        .to.have.property('message')
        .that.includes(`${name}: this is nested more than 300 levels deep`);
    expect(coerceRendered({ type: 'array' }, brackets(5000))).to.equal(brackets(5000));
  });
});
