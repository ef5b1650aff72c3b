import { expect } from 'chai';
import { versionHolds, orderLoosely } from '../../../src/language/library/texts/versions.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';

/** As the test `version` of Ansible says. */
const ROWS: Readonly<Record<string, readonly (readonly [left: string, right: string, order: -1 | 0 | 1])[]>> = {
  loose: [
    ['1.10', '1.9', 1],
    ['1.0', '1.0.0', -1],
    ['1.0', '1.0', 0],
    ['1.0a', '1.0', 1],
    ['1.0a', '1.0b', -1],
    ['2', '10', -1],
    ['22.1.1-9001', '22.1.1-9002', -1],
    ['1..2', '1.2', 0],
    ['1.5.1', '1.5.2b2', -1],
    ['161', '3.10a', 1],
    ['8.02', '8.2', 0],
    ['3.4j', '1996.07.12', -1],
    ['2g6', '11g', -1],
    ['0.960923', '2.2beta29', -1],
    ['1.13++', '5.5.kw', -1],
  ],
  strict: [
    ['1.10', '1.9', 1],
    ['1.0', '1.0.0', 0],
    ['1.0a1', '1.0', -1],
    ['1.0b1', '1.0a2', 1],
    ['1.0a10', '1.0a9', 1],
    ['0.4.1', '0.4', 1],
    ['1.0.4b1', '1.0.4a3', 1],
    ['1.0.4', '1.0.4b1', 1],
  ],
  semver: [
    ['1.10.0', '1.9.0', 1],
    ['1.0.0', '1.0.0', 0],
    ['1.0.0-alpha', '1.0.0', -1],
    ['1.0.0-alpha', '1.0.0-alpha.1', -1],
    ['1.0.0-alpha.1', '1.0.0-alpha.beta', -1],
    ['1.0.0-beta.2', '1.0.0-beta.11', -1],
    ['1.0.0-rc.1', '1.0.0-beta.11', 1],
    ['1.0.0+1', '1.0.0+2', 0],
    ['1.0.0-1', '1.0.0-a', -1],
    ['1.0.0-a', '1.0.0-B', 1],
  ],
  pep440: [
    ['1.0', '1.0.0', 0],
    ['1.10', '1.9', 1],
    ['1.0.dev1', '1.0a1', -1],
    ['1.0a1', '1.0b1', -1],
    ['1.0b1', '1.0rc1', -1],
    ['1.0rc1', '1.0', -1],
    ['1.0', '1.0.post1', -1],
    ['1.0.post1', '1.0.post2', -1],
    ['1.0a1', '1.0alpha1', 0],
    ['1.0c1', '1.0rc1', 0],
    ['1.0pre1', '1.0preview1', 0],
    ['1!1.0', '2.0', 1],
    ['1.0+a', '1.0', 1],
    ['1.0+a', '1.0+1', -1],
    ['1.0+1.2', '1.0+1.10', -1],
    ['1.0-1', '1.0.post1', 0],
    ['1.0.post1.dev1', '1.0.post1', -1],
    ['1.0a1.dev1', '1.0a1', -1],
    ['1.0.dev1', '1.0', -1],
    ['1.0a1.post1', '1.0a1', 1],
    ['v1.0', '1.0', 0],
    ['1.0A1', '1.0a1', 0],
    ['1.0.a.1', '1.0a1', 0],
    ['1.0a', '1.0a0', 0],
    ['1.0rev2', '1.0.post2', 0],
    ['1.0.dev', '1.0.dev0', 0],
    ['1.0.0.0.1', '1.0', 1],
  ],
};

const OPERATORS: readonly (readonly [names: readonly string[], orders: readonly number[]])[] = [
  [['eq', '==', '='], [0]],
  [
    ['ne', '!=', '<>'],
    [-1, 1],
  ],
  [['lt', '<'], [-1]],
  [
    ['le', '<='],
    [-1, 0],
  ],
  [['gt', '>'], [1]],
  [
    ['ge', '>='],
    [0, 1],
  ],
];

function orderOf(left: string, right: string, type: string): number {
  const holds = (operator: string): boolean => versionHolds(left, right, operator, type);
  return holds('<') ? -1 : Number(!holds('=='));
}

for (const [type, rows] of Object.entries(ROWS))
  describe(`The order of versions, ${type}`, () => {
    for (const [left, right, order] of rows)
      it(`${left} ${['<', '=', '>'][order + 1]} ${right}`, () => {
        expect(orderOf(left, right, type)).to.equal(order);
        expect(orderOf(right, left, type)).to.equal(order === 0 ? 0 : -order);
      });
  });

describe('The order of versions', () => {
  it('has every operator', () => {
    for (const [names, orders] of OPERATORS)
      for (const name of names) {
        const holds = (left: string, right: string): boolean => versionHolds(left, right, name, 'loose');
        expect([holds('1', '2'), holds('1', '1'), holds('2', '1')], name).to.deep.equal(
          [-1, 0, 1].map((order) => orders.includes(order)),
        );
      }
  });

  it('calls semver semantic, too', () => {
    expect(orderOf('1.0.0-rc.1', '1.0.0', 'semantic')).to.equal(-1);
    expect(orderOf('1.0.0+x', '1.0.0', 'semantic')).to.equal(0);
  });

  it('has numbers above letters where Ansible fails', () => {
    expect(orderLoosely('1.0', '1.a')).to.be.above(0);
    expect(orderLoosely('v1', '1')).to.be.below(0);
    expect(orderLoosely('1.A', '1.a')).to.be.below(0);
    expect(orderLoosely('', '')).to.equal(0);
    expect(orderLoosely('1-2', '1.2')).to.equal(0);
  });

  const refused: readonly (readonly [given: Parameters<typeof versionHolds>, message: string])[] = [
    [['1', '2', '~', 'loose'], 'version: there is no operator "~"'],
    [['1', '2', '<', 'debian'], 'version: there is no version_type "debian"'],
    [['', '2', '<', 'loose'], 'version: one of the versions is empty'],
    [['1', '', '<', 'loose'], 'version: one of the versions is empty'],
    [['1', '1.0', '<', 'strict'], 'version: "1" is not a strict version'],
    [['1.0', '1.0.0.0', '<', 'strict'], 'version: "1.0.0.0" is not a strict version'],
    [['1.0c1', '1.0', '<', 'strict'], 'version: "1.0c1" is not a strict version'],
    [['1.0', '1.0.0', '<', 'semver'], 'version: "1.0" is not a semver version'],
    [['1.0.0', 'v1.0.0', '<', 'semantic'], 'version: "v1.0.0" is not a semantic version'],
    [['1.0.0-', '1.0.0', '<', 'semver'], 'version: "1.0.0-" is not a semver version'],
    [['1.0.x', '1.0', '<', 'pep440'], 'version: "1.0.x" is not a PEP 440 version'],
    [['1.0', '1.0+', '<', 'pep440'], 'version: "1.0+" is not a PEP 440 version'],
  ];
  for (const [given, message] of refused)
    it(`is refused: ${given.join(' ')}`, () => expect(() => versionHolds(...given)).to.throw(TemplateError, message));

  it('names what there is', () => {
    const hint = (operator: string, type: string): string | undefined => {
      try {
        versionHolds('1', '2', operator, type);
      } catch (error) {
        if (error instanceof TemplateError) return error.hint;
      }
      return undefined;
    };
    expect(hint('~', 'loose')).to.equal('use one of ==, !=, <, <=, >, >=');
    expect(hint('<', 'x')).to.equal('use one of loose, strict, semver, pep440');
  });
});
