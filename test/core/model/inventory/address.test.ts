import { expect } from 'chai';
import { isPort, parseAddress } from '../../../../src/core/model/inventory/address.js';

describe('a host with a port', () => {
  for (const [text, parsed] of [
    ['lb1', { host: 'lb1', port: undefined }],
    ['lb1:8443', { host: 'lb1', port: 8443 }],
    ['lb[1:3]', { host: 'lb[1:3]', port: undefined }],
    ['lb[01:20:2].x:443', { host: 'lb[01:20:2].x', port: 443 }],
    ['lb-[a:c]', { host: 'lb-[a:c]', port: undefined }],
    ['[fd00::7]:443', { host: 'fd00::7', port: 443 }],
    ['[fd00::[1:9]]:443', { host: 'fd00::[1:9]', port: 443 }],
    ['fd00::7', { host: 'fd00::7', port: undefined }],
    ['fd00::[a:f]', { host: 'fd00::[a:f]', port: undefined }],
    ['fd00::[x:z]', undefined],
    ['[fd00::7]', undefined],
    ['lb1:x', undefined],
    ['lb1-', undefined],
    ['a b', undefined],
  ] as const)
    it(`is split: ${text}`, () => {
      expect(parseAddress(text)).to.deep.equal(parsed);
    });

  it('has one from 1 to 65535', () => {
    expect([0, 1, 65_535, 65_536, 1.5, -1, NaN].map(isPort)).to.deep.equal([
      false,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
