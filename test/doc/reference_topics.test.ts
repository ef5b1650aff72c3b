import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { allTopics, type TopicType } from '../../src/doc/topics.js';
import { BUILT_IN } from '../../src/language/library/index.js';
import { LOOKUP_NAMES } from '../../src/language/library/lookups/lookups.js';
import { MAGIC_NAMES } from '../../src/lint/subject/names.js';
import { KEYWORDS } from '../../src/project/keywords/keyword_table.js';
import { ROOT } from '../rig/command.js';

/** Filters that only operators call, and those that a section of the page explains. */
const NOTATIONS = new Set(['array', 'object', 'item', 'cut', 'change', '==', '>', '<', '!=', '<=', '>=']);

describe('topics of evenkeel doc', () => {
  const topics = allTopics();
  const namesOf = (...types: readonly TopicType[]): readonly string[] =>
    topics.filter(({ type }) => types.includes(type)).map(({ name }) => name);

  for (const [type, declared, page] of [
    ['keyword', KEYWORDS.map(({ name }) => name), 'the table of keywords'],
    ['filter', BUILT_IN.filterNames().filter((name) => !NOTATIONS.has(name)), 'a table of docs/templates.md'],
    ['test', BUILT_IN.testNames().filter((name) => !NOTATIONS.has(name)), 'the table of tests in docs/templates.md'],
    ['lookup', LOOKUP_NAMES, 'a table of lookups in docs/templates.md'],
    ['variable', MAGIC_NAMES, 'the table in docs/variables.md'],
  ] as const)
    it(`explain every ${type}; describe a new one in ${page}`, () => {
      const known = new Set(type === 'test' ? namesOf('test', 'filter') : namesOf(type));
      expect([...declared].filter((name) => !known.has(name))).to.deep.equal([]);
    });

  it('explain only what exists', () => {
    const filters = new Set([...BUILT_IN.filterNames(), ...BUILT_IN.testNames()]);
    expect(namesOf('filter', 'test').filter((name) => !filters.has(name))).to.deep.equal([]);
    expect(namesOf('lookup').filter((name) => !LOOKUP_NAMES.includes(name))).to.deep.equal([]);
  });

  it('have a text, and name pages and headings that exist', () => {
    for (const { name, text, page } of topics) {
      expect(text, name).to.match(/\S/);
      const [file = '', anchor] = page.split('#');
      expect(existsSync(path.join(ROOT, file)), page).to.equal(true);
      if (anchor === undefined) continue;
      const headings = [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, one = '']) =>
        one
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      expect(headings, page).to.include(anchor);
    }
  });
});
