import { expect } from 'chai';
import {
  controllerFault,
  hostFault,
  isPort,
  parseAddress,
  proxyFault,
} from '../../../../src/core/model/inventory/address.js';

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

describe('an address', () => {
  const NAME = 'a host is a name such as lb1.example.com, or an IPv4 or IPv6 address, and nothing else';
  const FOUR = 'an IPv4 address has four numbers from 0 to 255; a name does not end with a number';

  it('has a host, which is a name or an address', () => {
    for (const [host, fault] of [
      ['lb1.example.com', undefined],
      ['lb1.example.com.', undefined],
      ['lb_1', undefined],
      ['köln.example.com', undefined],
      ['10.0.0.7', undefined],
      ['fd00::7', undefined],
      [
        'fe80::1%eth0',
        ['has an IPv6 zone, which a URL cannot contain', 'use a name, or an address that needs no "%eth0"'],
      ],
      ['', ['is not a host', NAME]],
      ['-lb1', ['is not a host', NAME]],
      ['lb1-', ['is not a host', NAME]],
      ['a b', ['is not a host', NAME]],
      ['a..b', ['is not a host', NAME]],
      ['ａ.example.com', ['is not a host', NAME]],
      ['10.0.0.256', ['is not an address', FOUR]],
      ['75', ['is not an address', FOUR]],
      ['a.0x7f', ['is not an address', FOUR]],
    ] as const) {
      const found = hostFault(host);
      expect(found && [found.what, found.hint], host).to.deep.equal(fault);
    }
  });

  it('of a controller or a proxy is a URL that requests are sent to as it is', () => {
    const URL_HINT = 'it looks like https://lb1.example.com:8443';
    const PATH = 'leave out blanks, line breaks, "\\" and "..", and write other characters as in %C3%BC';
    const CREDENTIALS = 'in a user name and a password, write "@" as %40, "/" as %2F, "%" as %25, and so on';
    const faults = (text: string) =>
      [controllerFault(text), proxyFault(text, ['http', 'socks5'])].map((found) => found && [found.what, found.hint]);
    for (const [text, controller, proxy] of [
      ['http://lb1', undefined, undefined],
      ['HTTP://lb1:8443/', undefined, undefined],
      ['http://[fd00::7]:8443', undefined, undefined],
      ['https://lb1', undefined, ['is not a URL', URL_HINT]],
      ['socks5://lb1', ['is not a URL', URL_HINT], undefined],
      ['lb1', ['is not a URL', URL_HINT], ['is not a URL', URL_HINT]],
      ['http://', ['is not a URL', URL_HINT], ['is not a URL', URL_HINT]],
      [
        'http://a:b@lb1',
        ['must not contain credentials', 'set controller_username and controller_password'],
        undefined,
      ],
      [
        'http://a:%zz@lb1',
        ['must not contain credentials', 'set controller_username and controller_password'],
        ['has credentials that are not encoded', CREDENTIALS],
      ],
      [
        'http://a:b/c@lb1',
        ['must not contain credentials', 'set controller_username and controller_password'],
        ['has credentials that are not encoded', CREDENTIALS],
      ],
      ['http://a:1/c@lb1', undefined, ['has credentials that are not encoded', CREDENTIALS]],
      [
        'http://a:b@c/d@lb1',
        ['must not contain credentials', 'set controller_username and controller_password'],
        ['has credentials that are not encoded', CREDENTIALS],
      ],
      ['http://lb1/below', undefined, ['has a path', 'leave out what follows the port']],
      ...(['http://lb1/a b', 'http://lb1/../x', 'http://lb1/ü'] as const).map((text) => {
        const fault = ['has a path that is not valid in a URL', PATH] as const;
        return [text, fault, fault] as const;
      }),
      ...(['http://lb1?x', 'http://lb1/#x'] as const).map((text) => {
        const fault = ['must not have a query or a fragment', 'leave out what follows the path'] as const;
        return [text, fault, fault] as const;
      }),
      ...(['0', '65536', 'x', '', '08'] as const).map((port) => {
        const fault = [`has the port "${port}"`, 'a port is a number from 1 to 65535'] as const;
        return [`http://lb1:${port}`, fault, fault] as const;
      }),
      ...(['http://fd00::7', 'http://[lb1]'] as const).map((text) => {
        const fault = ['is not a URL', 'an IPv6 address is in brackets: https://[fd00::7]:8443'] as const;
        return [text, fault, fault] as const;
      }),
      ['http://a_-', ['names a host that is not a host', NAME], ['names a host that is not a host', NAME]],
    ] as const)
      expect(faults(text), text).to.deep.equal([controller, proxy]);
  });
});
