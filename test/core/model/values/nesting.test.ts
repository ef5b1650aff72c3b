import { expect } from 'chai';
import { Diagnostics } from '../../../../src/core/model/source/diagnostic.js';
import { tooDeepAt } from '../../../../src/core/model/values/nesting.js';
import { evaluate } from '../../../../src/language/render.js';
import { coerce } from '../../../../src/module/arguments/coercion.js';
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
    expect(said(`a: ${'['.repeat(299)}]${'['.repeat(3)}`)).to.deep.equal([
      'a.yml:1:306 this is nested more than 300 levels deep',
    ]);
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

  const [SOME, REST, MANY] = ['['.repeat(300), '[', '['.repeat(301)];
  const cases: readonly (readonly [what: string, text: string, at: number | undefined])[] = [
    ['in a flow that is closed and opened again', `${brackets(300)}${brackets(300)}`, undefined],
    ['in brackets and braces', `a: ${'[{'.repeat(150)}[`, 303],
    ['in braces that are closed', '{}'.repeat(400), undefined],
    ['after more closing brackets than there are', `a: ]]]${MANY}`, 306],
    ['over lines of one block', `a: ${SOME}\n  ${REST}`, 306],
    ['over lines with the same indentation', `a: ${SOME}\n${REST}`, undefined],
    ['over lines with the same indentation inside', `b:\n  a: ${SOME}\n  ${REST}`, undefined],
    ['over lines that are further to the right', `b:\n  a: ${SOME}\n   ${REST}`, 312],
    ['over an empty line', `a: ${SOME}\n\n  ${REST}`, 307],
    ['over an empty line of Windows', `a: ${SOME}\r\n\r\n  ${REST}`, 309],
    ['at the same indentation in a text of brackets', `[\n${SOME}`, 301],
    ['after the beginning of a document', `--- [\n${SOME}`, 305],
    ['after a bracket in the first line of a block only', `a: [1]\n${`b: [\n`.repeat(400)}`, undefined],
    ['behind a number sign that is no comment', `a: [x#${MANY}`, 305],
    ['behind a number sign outside of brackets', `# '\na: ${MANY}`, 307],
    ['behind a comment', `a: [ # ${MANY}\n  ${SOME}`, 610],
    ['at the end, in a comment', `a: [ # ${MANY}`, undefined],
    ['in single quotes', `a: '${MANY}''${MANY}'`, undefined],
    ['behind single quotes', `a: '[''['\nb: ${MANY}`, 313],
    ['behind quotes with a slash', `a: "\\\\"\nb: ${MANY}`, 311],
    ['in quotes behind a slash', String.raw`a: "\\\"${MANY}"`, undefined],
    ['behind an apostrophe', `a: x'\nb: ${MANY}`, 309],
    ['behind a quote in a word', `a: x "\nb: ${MANY}`, 310],
    ['in a quote after a dash', `- "${MANY}"`, undefined],
    ['in a quote after a question mark', `? '${MANY}'`, undefined],
    ['in a quote after a tab', `a:\t"${MANY}"`, undefined],
    ['in a quote right after a colon', `{"a":"${MANY}"}`, undefined],
    ['behind a quote right after a dash', `-"\n${MANY}`, 303],
    ['in a quote after a comma', `[1,"${MANY}"]`, undefined],
    ['in a quote after a brace', `{"${MANY}": 1}`, undefined],
    ['in a quote on a line of its own', `a:\n  "${MANY}"`, undefined],
    ['in a quote without an end', `a: "${MANY}`, undefined],
    ['twice', `x\n${MANY}`, 302],
  ];
  for (const [what, text, at] of cases)
    it(`have more than 300 brackets: ${what}`, () => {
      expect(tooDeepAt(text)).to.equal(at);
      // What one text leaves behind means nothing to the next.
      expect(tooDeepAt(text)).to.equal(at);
    });

  it('have more than 300 blocks that are open', () => {
    const deep = blocks(301, 'a:');
    expect([tooDeepAt(deep), tooDeepAt(blocks(300, 'a:') + ' '.repeat(300))]).to.deep.equal([
      deep.length - 3,
      undefined,
    ]);
    const again = `${blocks(300, 'a:')}b: 1\n${' '.repeat(299)}c: 1\n${' '.repeat(300)}d: 1\n`;
    expect(tooDeepAt(again)).to.equal(undefined);
    expect(tooDeepAt(`${blocks(300, 'a:')}${' '.repeat(299)}b:\n${' '.repeat(300)}c: 1\n`)).not.to.equal(undefined);
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
    expect(coerce({ type: 'array' }, brackets(5000), true)).to.equal(brackets(5000));
  });
});
