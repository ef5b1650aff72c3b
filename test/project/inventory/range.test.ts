import { expect } from 'chai';
import fc from 'fast-check';
import { expandNames } from '../../../src/project/inventory/range.js';

describe('ranges in names', () => {
  const names: readonly (readonly [string, readonly string[]])[] = [
    ['lb1.example.com', ['lb1.example.com']],
    ['lb[01:12:4].example.com', ['lb01.example.com', 'lb05.example.com', 'lb09.example.com']],
    ['lb[8:11]', ['lb8', 'lb9', 'lb10', 'lb11']],
    ['x[a:c]', ['xa', 'xb', 'xc']],
    ['x[Y:Z]', ['xY', 'xZ']],
    ['x[z:A]', ['xz', 'xA']],
    ['r[1:2]-[a:b]', ['r1-a', 'r1-b', 'r2-a', 'r2-b']],
    ['10.0.[1:2].[0:1]', ['10.0.1.0', '10.0.1.1', '10.0.2.0', '10.0.2.1']],
    ['lb[:2]', ['lb0', 'lb1', 'lb2']],
    ['lb[10:101:91]', ['lb10', 'lb101']],
    ['lb[999999:1000001]', ['lb999999', 'lb1000000', 'lb1000001']],
    ['fe80::1', ['fe80::1']],
  ];
  for (const [pattern, expanded] of names) {
    it(`${pattern} → ${expanded.join(' ')}`, () => {
      expect(expandNames(pattern)).to.deep.equal({ type: 'names', names: expanded, port: undefined });
    });
  }

  it('keep the port of the name', () => {
    expect(expandNames('lb[1:2]:8443')).to.deep.equal({ type: 'names', names: ['lb1', 'lb2'], port: 8443 });
    expect(expandNames('[fe80::1]:443')).to.deep.equal({ type: 'names', names: ['fe80::1'], port: 443 });
  });

  it('have a port from 1 to 65535', () => {
    const hint = 'a port is a number from 1 to 65535';
    for (const port of [1, 65535])
      expect(expandNames(`lb1:${port}`)).to.deep.equal({ type: 'names', names: ['lb1'], port });
    for (const port of [0, 65536])
      expect(expandNames(`lb1:${port}`)).to.deep.equal({
        type: 'problem',
        message: `"lb1:${port}" has the port ${port}`,
        hint,
      });
  });

  it('say that an IPv6 address without a port has no brackets', () => {
    expect(expandNames('[fd00::8]')).to.deep.include({
      message: 'the range [fd00::8] in "[fd00::8]" has no end',
      hint: 'an IPv6 address has brackets only before a port: fd00::8, [fd00::8]:443',
    });
  });

  const problems: readonly (readonly [string, string])[] = [
    ['lb[1:]', 'the range [1:] in "lb[1:]" has no end'],
    ['lb[]', 'the range [] in "lb[]" is not [first:last] or [first:last:step]'],
    ['lb[1:2:3:4]', 'the range [1:2:3:4] in "lb[1:2:3:4]" is not [first:last] or [first:last:step]'],
    [
      'lb[01:100]',
      'the range [01:100] in "lb[01:100]" needs bounds of the same length, because the first begins with 0',
    ],
    ['lb[3:1]', 'the range [3:1] in "lb[3:1]" goes backwards; write [1:3]'],
    ['lb[9:1:2]', 'the range [9:1:2] in "lb[9:1:2]" goes backwards; write [1:9:2]'],
    ['lb[c:a]', 'the range [c:a] in "lb[c:a]" goes backwards; write [a:c]'],
    ['lb[1:3:0]', 'the range [1:3:0] in "lb[1:3:0]" needs a step of 1 or more'],
    ['lb[1:3:x]', 'the range [1:3:x] in "lb[1:3:x]" needs a step of 1 or more'],
    ['lb[1:c]', 'the range [1:c] in "lb[1:c]" has bounds that are neither two numbers nor two letters'],
    ['lb[1:99999999]', 'the range [1:99999999] in "lb[1:99999999]" expands to more than 1000000 controllers'],
    ['[0:1999][0:1999]', '"[0:1999][0:1999]" expands to more than 1000000 controllers'],
    ['lb1:', '"lb1:" ends in ":" without a port'],
  ];
  for (const [pattern, message] of problems) {
    it(`${pattern}: ${message}`, () => {
      expect(expandNames(pattern)).to.deep.equal({ type: 'problem', message });
    });
  }

  it('count from the first to the last number, with the width of the first', () => {
    const property = fc.property(fc.nat(500), fc.nat(500), fc.integer({ min: 1, max: 9 }), (from, more, step) => {
      const to = from + more;
      const width = String(to).length;
      const found = expandNames(`lb[${String(from).padStart(width, '0')}:${to}:${step}]`);
      const wanted = [];
      for (let at = from; at <= to; at += step)
        wanted.push(`lb${String(at).padStart(from < 10 ** (width - 1) ? width : 0, '0')}`);
      expect(found).to.deep.equal({ type: 'names', names: wanted, port: undefined });
    });
    fc.assert(property);
  });
});
