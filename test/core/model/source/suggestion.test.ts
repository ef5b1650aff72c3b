import { expect } from 'chai';
import { didYouMean, findSpelling, likelyTypo } from '../../../../src/core/model/source/suggestion.js';

describe('didYouMean', () => {
  const known = ['tags', 'tasks', 'debug', 'delay', 'when', 'hosts'];
  const table: readonly (readonly [string, string | undefined])[] = [
    ['taks', 'did you mean "tasks"?'],
    ['tag', 'did you mean "tags"?'],
    ['debgu', 'did you mean "debug"?'],
    ['host', 'did you mean "hosts"?'],
    ['wen', 'did you mean "when"?'],
    ['x', undefined],
    ['', undefined],
    ['something_else', undefined],
  ];
  for (const [name, hint] of table) {
    it(`${JSON.stringify(name)} → ${hint ?? 'nothing'}`, () => {
      expect(didYouMean(name, known)).to.equal(hint);
    });
  }

  it('takes names that differ in digits only for other names', () => {
    const fields = ['virtual_ip', 'ipv4_enabled'];
    expect(['virtual_pi', 'virtual_ip6', 'ipv6_enabled'].map((name) => likelyTypo(name, fields))).to.deep.equal([
      'virtual_ip',
      undefined,
      undefined,
    ]);
  });

  it('forgives one letter in a short name, and two in one of eight letters or more', () => {
    const fields = ['enabled', 'services', 'certificate'];
    const typed = ['enablet', 'enapled', 'enapbed', 'servixez', 'servixe', 'certifikatt', 'certiphikat'];
    expect(typed.map((name) => likelyTypo(name, fields))).to.deep.equal([
      'enabled',
      'enabled',
      undefined,
      'services',
      undefined,
      'certificate',
      undefined,
    ]);
  });

  it('takes swapped letters and another spelling for typos in any name', () => {
    const fields = ['pool', 'virtual_ip', 'name'];
    expect(['polo', 'VIRTUAL-IP', 'naem', 'xool', 'xxol'].map((name) => likelyTypo(name, fields))).to.deep.equal([
      'pool',
      'virtual_ip',
      'name',
      'pool',
      undefined,
    ]);
    expect([likelyTypo('certificate_xyz', ['certificate_ref']), likelyTypo('pool', [])]).to.deep.equal([
      undefined,
      undefined,
    ]);
  });

  it('finds another spelling, with other case or hyphens', () => {
    const known = ['pool_group', 'pool-set', 'a'];
    expect(
      ['pool-group', 'Pool_Group', 'POOL_SET', 'pool__set', 'b'].map((name) => findSpelling(name, known)),
    ).to.deep.equal(['pool_group', 'pool_group', 'pool-set', undefined, undefined]);
  });

  it('reports nothing if nothing is known', () => {
    expect(didYouMean('tasks', [])).to.equal(undefined);
  });
});
