import { expect } from 'chai';
import { settingUrl } from '../../../src/controller/settings/url.js';
import { SettingValues } from '../../../src/controller/settings/values.js';
import type { Mapping } from '../../../src/core/model/values/value.js';

function reading<T>(variables: Mapping, read: (values: SettingValues) => T, controller = 'lb1') {
  const values = new SettingValues((name) => variables[name], controller);
  return [read(values), values.problems] as const;
}

describe('values of settings', () => {
  it('are set unless they are null, and problems unless they have a text', () => {
    const variables = { a: '', b: null, c: 0, d: 'x' };
    expect(
      reading(variables, (values) => ['a', 'b', 'c', 'd', 'e'].map((name) => values.isSet(name)))[0],
    ).to.deep.equal([true, false, true, true, false]);
    expect(reading(variables, (values) => ['a', 'b', 'd'].map((name) => values.isEmpty(name)))[0]).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(reading(variables, (values) => values.first(['c']))).to.deep.equal([{ name: 'c', value: 0 }, []]);
    expect(reading(variables, (values) => values.text('b', 'd', 'a'))).to.deep.equal(['x', []]);
    expect(reading(variables, (values) => values.text('b', 'a', 'd'))).to.deep.equal([
      undefined,
      [
        {
          message: 'a of lb1 is empty',
          variables: ['a'],
          hint: 'leave it out to use its default',
          general: 'a is empty',
        },
      ],
    ]);
    expect(reading({ a: 'x\ud800' }, (values) => values.text('a'))).to.deep.equal([
      undefined,
      [
        {
          message: String.raw`a contains \ud800, which is half of a character`,
          variables: ['a'],
          hint: 'write the whole character, or leave it out',
        },
      ],
    ]);
  });

  it('may be required', () => {
    const required = (variables: Mapping) => reading(variables, (values) => values.required(['a', 'b'], 'set it'));
    expect(required({ b: 7n })).to.deep.equal(['7', []]);
    expect(required({ b: null })).to.deep.equal([
      undefined,
      [{ message: 'lb1 has no a', variables: ['a', 'b'], hint: 'set it', general: 'no a' }],
    ]);
    expect(required({ b: '' })).to.deep.equal([
      undefined,
      [
        {
          message: 'b of lb1 is empty',
          variables: ['b'],
          hint: 'set it; if it comes from the environment, export that variable',
          general: 'b is empty',
        },
      ],
    ]);
    expect(required({ b: ['x'] })).to.deep.equal([undefined, [{ message: 'b must be text', variables: ['a', 'b'] }]]);
  });

  it('are flags, also with another word', () => {
    expect(
      reading({ a: 'Yes', b: 0 }, (values) => [values.flag('a'), values.flag('b'), values.flag('c')]),
    ).to.deep.equal([[true, false, undefined], []]);
    const strict = (variables: Mapping) => reading(variables, (values) => values.flagOr('strict', 'a', 'b'));
    expect([strict({ a: 'strict' }), strict({ a: false }), strict({ b: 'on' }), strict({})]).to.deep.equal([
      ['strict', []],
      [false, []],
      [true, []],
      [undefined, []],
    ]);
    expect(strict({ b: 'strict' })).to.deep.equal([
      undefined,
      [{ message: 'b must be true, false or strict', variables: ['a', 'b'] }],
    ]);
    expect(reading({ a: 2 }, (values) => values.flag('a'))[1]).to.deep.equal([
      { message: 'a must be true or false', variables: ['a'] },
    ]);
  });

  it('are numbers from the least to the most', () => {
    const limits = { least: 1, most: 10, whole: true };
    const number = (value: Mapping[string]) => reading({ a: value }, (values) => values.number(limits, 'a'));
    for (const [value, read] of [
      [1, 1],
      [10, 10],
      [' 7 ', 7],
      ['+7', 7],
      ['7.0', 7],
    ] as const)
      expect(number(value), String(value)).to.deep.equal([read, []]);
    const message = 'a must be a whole number of at least 1 and at most 10';
    for (const value of [0, 11, 1.5, '0x5', '1e0', true, 5n, 'x'])
      expect(number(value), String(value)).to.deep.equal([undefined, [{ message, variables: ['a'] }]]);
    expect(reading({ a: -1 }, (values) => values.number({ least: 0, whole: false }, 'b', 'a'))).to.deep.equal([
      undefined,
      [{ message: 'a must be a number of at least 0', variables: ['b', 'a'] }],
    ]);
    expect(reading({ a: '0.5' }, (values) => values.number({ least: 0.5, whole: false }, 'a'))[0]).to.equal(0.5);
  });

  it('are mappings, empty if there is none', () => {
    const mapping = (variables: Mapping) => reading(variables, (values) => values.mapping('a'));
    expect([mapping({ a: { b: 1 } }), mapping({})]).to.deep.equal([
      [{ b: 1 }, []],
      [{}, []],
    ]);
    expect(mapping({ a: [] })).to.deep.equal([
      {},
      [{ message: 'a must be a mapping of header names to texts', variables: ['a'] }],
    ]);
  });
});

describe('the URL of a controller', () => {
  const VARIABLES = [
    'controller_url',
    'ansible_host',
    'ansible_connection',
    'ansible_httpapi_use_ssl',
    'ansible_httpapi_port',
    'ansible_port',
    'controller_allow_http',
  ];
  const url = (variables: Mapping, controller = 'lb1', allowHttp = false) =>
    reading(variables, (values) => settingUrl(values, allowHttp), controller);

  it('is that of the variables, or made of the names of Ansible', () => {
    for (const [variables, expected] of [
      [{ controller_url: 'https://LB1:443/x//' }, 'https://lb1/x'],
      [{ ansible_host: '[fd00::7]' }, 'https://[fd00::7]'],
      [{ ansible_host: 'h', ansible_httpapi_port: 1, ansible_port: 2 }, 'https://h:1'],
      [{ ansible_host: 'h', ansible_port: 2 }, 'https://h:2'],
      [{ ansible_httpapi_use_ssl: true }, 'https://lb1'],
      [{ ansible_connection: 'httpapi', ansible_port: 8 }, 'https://lb1:8'],
    ] as const)
      expect(url(variables), JSON.stringify(variables)).to.deep.equal([expected, []]);
    expect(url({ ansible_httpapi_use_ssl: false }, 'lb1', true)).to.deep.equal(['http://lb1', []]);
  });

  it('is a problem that names the variables, and what is the same for others', () => {
    for (const [variables, controller, problem] of [
      [
        {},
        'lb1',
        {
          message: 'lb1 has no controller_url',
          hint: 'set it to https:// and the address of the controller',
          general: 'no controller_url',
        },
      ],
      [
        { controller_url: 'https://lb1/x/api/' },
        'lb1',
        {
          message: 'controller_url must end before /api: "https://lb1/x/api/"',
          hint: 'requests add /api/ themselves',
          general: undefined,
        },
      ],
      [
        { ansible_httpapi_use_ssl: false },
        'lb1',
        {
          message: 'the address of lb1 is not https: "http://lb1"',
          hint: 'credentials would be sent in clear text; controller_allow_http: true allows it',
          general: 'the address is not https: "http://lb1"',
        },
      ],
      [
        { ansible_connection: 'acme.httpapi' },
        'a b',
        { message: 'the name "a b" is not a host', hint: 'set ansible_host or controller_url' },
      ],
    ] as const)
      expect(url(variables, controller)).to.deep.equal([undefined, [{ variables: VARIABLES, ...problem }]]);
    expect(url({ ansible_host: 'me:pw@h:1' })).to.deep.equal([
      undefined,
      [
        {
          message: 'ansible_host is not a host: "me:********@h:1"',
          variables: ['ansible_host'],
          hint: 'a host is a name such as lb1.example.com, or an IPv4 or IPv6 address, and nothing else',
        },
      ],
    ]);
    expect(url({ ansible_host: 'h:1' })[1]).to.deep.include({
      message: 'ansible_host is not a host: "h:1"',
      variables: ['ansible_host'],
      hint: 'write the port in ansible_port',
    });
  });
});
