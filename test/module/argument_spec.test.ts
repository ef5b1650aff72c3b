import { expect } from 'chai';
import type { Mapping, Value } from '../../src/core/model/values/value.js';
import type { Rules } from '../../src/module/argument_spec/requirements.js';
import { parseSize } from '../../src/module/argument_spec/size.js';
import { checkRules, checkSpecification, mistakeIn } from '../../src/module/argument_spec/specification.js';
import { convert, parseDictionary, TYPES } from '../../src/module/argument_spec/types.js';
import { validateSpecified } from '../../src/module/argument_spec/validate.js';

function errors(spec: Mapping, args: Mapping, rules: Rules = {}): readonly string[] {
  return validateSpecified(spec, args, rules).errors.map(({ message }) => message);
}

describe('The types of argument specifications', () => {
  const table: readonly (readonly [(typeof TYPES)[number], Value, Value | undefined])[] = [
    ['str', 'a', 'a'],
    ['str', true, 'True'],
    ['str', 1.5, '1.5'],
    ['str', [1], '[1]'],
    ['int', 3, 3],
    ['int', ' +3 ', 3],
    ['int', '1_000', 1000],
    ['int', '3.0', undefined],
    ['int', 1.5, undefined],
    ['int', [1], undefined],
    ['float', '1e3', 1000],
    ['float', '.5', 0.5],
    ['float', '-inf', -Infinity],
    ['float', 2, 2],
    ['float', 'x', undefined],
    ['bool', 'Yes', true],
    ['bool', ' off ', false],
    ['bool', 1, true],
    ['bool', 2, undefined],
    ['bool', 'maybe', undefined],
    ['bool', {}, undefined],
    ['list', 'a,b', ['a', 'b']],
    ['list', 1, ['1']],
    ['list', {}, undefined],
    ['dict', { a: 1 }, { a: 1 }],
    ['dict', '{"a": 1}', { a: 1 }],
    ['dict', "{'a': True}", { a: true }],
    ['dict', 'a=1, b="x y"', { a: '1', b: 'x y' }],
    ['dict', '{a', undefined],
    ['dict', '[1]', undefined],
    ['dict', 'a', undefined],
    ['dict', 1, undefined],
    ['path', '~/x', '~/x'],
    ['raw', { a: [1] }, { a: [1] }],
    ['json', ' {} ', '{}'],
    ['jsonarg', { a: 1 }, '{"a":1}'],
    ['json', 1, undefined],
    ['bytes', '10M', 10_485_760],
    ['bytes', '1.5 GB', 1_610_612_736],
    ['bytes', '2 kilobytes', 2048],
    ['bytes', 512, 512],
    ['bytes', '1Mb', undefined],
    ['bytes', 'x', undefined],
    ['bytes', '1Q', undefined],
    ['bytes', true, undefined],
    ['bits', '1Mb', 1_048_576],
    ['bits', '1MB', undefined],
  ];
  for (const [type, value, expected] of table) {
    it(`convert ${JSON.stringify(value)} to ${type}: ${expected === undefined ? 'invalid' : JSON.stringify(expected)}`, () => {
      expect(convert(type, value)).to.deep.equal(expected);
    });
  }

  it('accept NaN', () => {
    expect(convert('float', 'nan')).to.be.NaN;
  });

  it('parse pairs with quotes and backslashes', () => {
    expect(parseDictionary(String.raw`a=x\ y b='1,2'`)).to.deep.equal({ a: 'x y', b: '1,2' });
    expect(parseDictionary('a=1 b')).to.equal(undefined);
    expect(parseDictionary('=')).to.deep.equal({ '': '' });
  });

  it('parse sizes without a unit', () => {
    expect(parseSize('12', 'bits')).to.equal(12);
    expect(parseSize('B', 'bytes')).to.equal(undefined);
  });
});

describe('Arguments against their specification', () => {
  it('can be omitted, have defaults, and be null', () => {
    expect(errors({ a: { type: 'int' }, b: { type: 'int', default: '3' }, c: {} }, { a: null })).to.deep.equal([]);
  });

  it('are errors if required ones are missing', () => {
    const spec = { b: { required: true }, a: { required: true }, c: {} };
    expect(errors(spec, {})).to.deep.equal(['missing required arguments: a, b']);
    expect(errors(spec, { a: 1, b: null })).to.deep.equal([]);
  });

  it('must have the declared type', () => {
    expect(errors({ port: { type: 'int' }, flag: { type: 'bool' } }, { port: 'abc', flag: 'maybe' })).to.deep.equal([
      "argument 'port' is of type str and we were unable to convert to int",
      "argument 'flag' is of type str and we were unable to convert to bool",
    ]);
    expect(errors({ a: { type: 'dict' }, b: { type: 'list' } }, { a: 1.5, b: {} })).to.deep.equal([
      "argument 'a' is of type float and we were unable to convert to dict",
      "argument 'b' is of type dict and we were unable to convert to list",
    ]);
  });

  it('must have elements of the declared type', () => {
    const spec = { ports: { type: 'list', elements: 'int', choices: [1, 2] } };
    expect(errors(spec, { ports: '1,2' })).to.deep.equal([]);
    expect(errors(spec, { ports: ['1', 'x', [3]] })).to.deep.equal([
      "Elements value for option 'ports' is of type str and we were unable to convert to int",
      "Elements value for option 'ports' is of type list and we were unable to convert to int",
    ]);
    expect(errors({ all: { type: 'list', elements: 'list' } }, { all: [[1], '2,3'] })).to.deep.equal([]);
  });

  it('must be one of the choices', () => {
    const spec = { color: { choices: ['red', 'green'] }, sizes: { type: 'list', choices: ['s', 'm'] } };
    expect(errors(spec, { color: 'red', sizes: ['m'] })).to.deep.equal([]);
    expect(errors(spec, { color: 'blue', sizes: ['m', 'l', { x: 1 }] })).to.deep.equal([
      'value of color must be one of: red, green, got: blue',
      'value of sizes must be one or more of: s, m. Got no match for: l, {"x":1}',
    ]);
    expect(errors({ a: { choices: 'x' } }, { a: 'x' })).to.deep.equal(["the choices for argument 'a' are not a list"]);
  });

  it('can be a boolean that YAML read from the only such choice', () => {
    expect(errors({ a: { choices: ['yes', 'no'] } }, { a: true })).to.deep.equal([]);
    expect(errors({ a: { choices: ['yes', 'on'] } }, { a: true })).to.deep.equal([
      'value of a must be one of: yes, on, got: True',
    ]);
  });

  it('do not show secret choices', () => {
    const found = validateSpecified(
      { key: { no_log: true, choices: ['aa11', 'bb22'] }, keys: { no_log: true, type: 'list', choices: ['aa11'] } },
      { key: 'cc33', keys: ['dd44', { deep: ['ee55', 6677] }] },
    );
    expect(found.errors.map(({ message }) => message)).to.deep.equal([
      'value of key must be one of: aa11, bb22',
      'value of keys must be one or more of: aa11',
    ]);
    expect([...found.secrets]).to.deep.equal(['cc33', 'dd44', 'ee55', '6677']);
    expect([...validateSpecified({ key: { no_log: true, default: 'ff88' } }, {}).secrets]).to.deep.equal(['ff88']);
  });

  it('are errors if they are unknown', () => {
    const spec = { port: {}, name: { aliases: ['label'] } };
    expect(errors(spec, { prot: 1, zzzzzz: 2 })).to.deep.equal([
      'unsupported parameter: prot (did you mean "port"?). Supported parameters include: name, port (label)',
      'unsupported parameter: zzzzzz. Supported parameters include: name, port (label)',
    ]);
  });

  it('can have aliases', () => {
    const spec = { port: { type: 'int', required: true, aliases: ['p'] } };
    expect(errors(spec, { p: 1 })).to.deep.equal([]);
    expect(errors(spec, { p: 'x' })).to.have.length(1);
    expect(validateSpecified(spec, { p: 1, port: 2 }).warnings).to.deep.equal([
      'both "port" and its alias "p" are set',
    ]);
  });

  it('can be deprecated', () => {
    const spec = {
      a: { removed_in_version: '2.0' },
      b: { removed_at_date: '2027-01-01', aliases: ['bb', 'b2'], deprecated_aliases: [{ name: 'bb', version: '3' }] },
      c: { type: 'dict', options: { d: { removed_in_version: 4 } } },
      e: { deprecated_aliases: [{ name: 'ee' }], aliases: ['ee'] },
    };
    expect(validateSpecified(spec, { a: 1, bb: 2, c: { d: 3 }, ee: 1 }).warnings).to.deep.equal([
      'the argument "a" is deprecated and will be removed in version 2.0',
      'the argument "b" is deprecated and will be removed on 2027-01-01',
      'the argument "bb" is deprecated and will be removed in version 3',
      'the argument "ee" is deprecated',
      'the argument "c.d" is deprecated and will be removed in version 4',
    ]);
    expect(validateSpecified(spec, {}).warnings).to.deep.equal([]);
    const dated = { a: { aliases: ['b', 5], deprecated_aliases: [{ name: 'b', date: '2028-01-01' }, { name: 7 }, 8] } };
    expect(validateSpecified(dated, { b: 1 }).warnings).to.deep.equal([
      'the argument "b" is deprecated and will be removed on 2028-01-01',
    ]);
    expect(errors(dated, { 5: 1 })).to.deep.equal(['unsupported parameter: 5. Supported parameters include: a (b)']);
  });

  it('can have options inside, at any depth', () => {
    const spec = {
      vip: {
        type: 'dict',
        options: {
          address: { required: true },
          ports: { type: 'list', elements: 'dict', options: { number: { type: 'int' }, proto: { choices: ['tcp'] } } },
        },
      },
    };
    expect(errors(spec, { vip: { address: 'x', ports: [{ number: '1' }] } })).to.deep.equal([]);
    expect(errors(spec, {})).to.deep.equal([]);
    const found = validateSpecified(spec, { vip: { adress: 'x', ports: [{}, { number: 'n', proto: 'udp' }] } });
    expect(found.errors).to.deep.equal([
      {
        path: ['vip', 'adress'],
        message:
          'unsupported parameter: adress (did you mean "address"?). Supported parameters include: address, ports found in vip',
      },
      { path: ['vip'], message: 'missing required arguments: address found in vip' },
      {
        path: ['vip', 'ports', 1, 'number'],
        message: "argument 'number' is of type str and we were unable to convert to int found in vip -> ports[1]",
      },
      {
        path: ['vip', 'ports', 1, 'proto'],
        message: 'value of proto must be one of: tcp, got: udp found in vip -> ports[1]',
      },
    ]);
    expect(errors({ a: { type: 'dict', options: {} } }, { a: '{"b": 1}' })).to.deep.equal([
      'unsupported parameter: b. Supported parameters include:  found in a',
    ]);
    expect(errors({ a: { type: 'dict', options: {} } }, { a: 1 })).to.deep.equal([
      "argument 'a' is of type int and we were unable to convert to dict",
      "value of 'a' must be of type dict or list of dicts",
    ]);
  });

  it('have options inside only where these are of dicts', () => {
    const options = { b: { type: 'int' } };
    const inside = { b: 'x' };
    expect(errors({ a: { type: 'raw', options } }, { a: inside })).to.deep.equal([]);
    expect(errors({ a: { type: 'list', options } }, { a: [inside] })).to.deep.equal([]);
    expect(errors({ a: { type: 'raw', elements: 'dict', options } }, { a: [inside] })).to.deep.equal([]);
    expect(errors({ a: { type: 'list', elements: 'dict', options } }, { a: [{ b: 1 }, inside] })).to.have.length(1);
    expect(errors({ a: 'x', b: { type: 'unlike' } }, { a: 1, b: 1 })).to.deep.equal([
      "argument 'b' is of type int and we were unable to convert to unlike",
    ]);
    const found = validateSpecified(
      { a: { type: 'dict' }, b: { no_log: true } },
      { a: { x: 'shown' }, b: { x: true } },
    );
    expect([...found.secrets]).to.deep.equal([]);
  });

  it('have a place in lists of lists of options', () => {
    const level = (options: Mapping) => ({ type: 'list', elements: 'dict', options });
    const spec = { a: level({ b: level({ c: { type: 'int' } }) }) };
    expect(errors(spec, { a: [{}, { b: [{ c: 'x' }] }] })).to.deep.equal([
      "argument 'c' is of type str and we were unable to convert to int found in a[1] -> b[0]",
    ]);
  });

  it('are checked inside omitted ones with apply_defaults', () => {
    const a = { type: 'dict', options: { b: { required: true } } };
    expect(errors({ a }, {})).to.deep.equal([]);
    expect(errors({ a: { ...a, apply_defaults: true } }, {})).to.deep.equal([
      'missing required arguments: b found in a',
    ]);
  });

  it('must follow the rules about combinations', () => {
    const spec = { a: {}, b: {}, c: {}, d: { default: 1, type: 'int' } };
    const broken = (rules: Rules, args: Mapping): readonly string[] => errors(spec, args, rules);
    expect(
      broken(
        {
          mutually_exclusive: [
            ['a', 'b'],
            ['b', 'c'],
          ],
        },
        { a: 1, b: 1, c: 1 },
      ),
    ).to.deep.equal(['parameters are mutually exclusive: a|b, b|c']);
    expect(broken({ mutually_exclusive: ['a', 'b'] }, { a: 1, b: 1 })).to.have.length(1);
    expect(broken({ mutually_exclusive: [['a', 'd']] }, { a: 1 })).to.deep.equal([]);
    expect(broken({ required_together: [['a', 'b']] }, { a: 1 })).to.deep.equal([
      'parameters are required together: a, b',
    ]);
    expect(broken({ required_together: [['a', 'b']] }, { a: 1, b: 1 })).to.deep.equal([]);
    expect(broken({ required_one_of: [['a', 'b']] }, { c: 1 })).to.deep.equal([
      'one of the following is required: a, b',
    ]);
    expect(broken({ required_one_of: [['a', 'd']] }, {})).to.deep.equal([]);
    expect(broken({ required_by: { a: ['b', 'c'], c: 'd' } }, { a: 1 })).to.deep.equal([
      "missing parameter(s) required by 'a': b, c",
    ]);
    expect(broken({ required_by: { a: 'b' } }, { a: null })).to.deep.equal([]);
    const requiredIf: Rules = { required_if: [['d', 1, ['a', 'b']]] };
    expect(broken(requiredIf, { a: 1 })).to.deep.equal(['d is 1 but all of the following are missing: b']);
    expect(broken(requiredIf, { d: 2 })).to.deep.equal([]);
    const any: Rules = {
      required_if: [
        ['d', '1', ['a', 'b'], true],
        ['d', 1, ['a', 'b'], true],
      ],
    };
    expect(broken(any, { a: 1 })).to.deep.equal([]);
    expect(broken(any, {})).to.deep.equal(['d is 1 but any of the following are missing: a, b']);
  });

  it('must follow the rules of inner options', () => {
    const spec = { v: { type: 'dict', options: { a: {}, b: {} }, mutually_exclusive: [['a', 'b']] } };
    expect(errors(spec, { v: { a: 1, b: 2 } })).to.deep.equal(['parameters are mutually exclusive: a|b found in v']);
  });
});

describe('An argument specification', () => {
  it('is checked for mistakes', () => {
    const spec = {
      a: 'str',
      b: { type: 'strin', required: 'yes', choices: 'x', aliases: {}, options: [] },
      c: { type: 'list', elements: ['int'], requierd: true, unheardOf: 1 },
      d: { required: true, default: 1 },
      e: { elements: 'int', options: { f: { type: 'int', default: null }, g: null } },
    };
    expect(
      checkSpecification(spec).map(({ severity, path, message, hint }) => [severity, path.join('.'), message, hint]),
    ).to.deep.equal([
      ['error', 'a', 'the option "a" must be a mapping, such as "type: str"', undefined],
      ['error', 'b.type', 'there is no type "strin"', 'did you mean "str"?'],
      ['error', 'b.required', '"required" must be true or false', undefined],
      ['error', 'b.choices', '"choices" must be a list', undefined],
      ['error', 'b.aliases', '"aliases" must be a list', undefined],
      ['error', 'b.options', '"options" must be a mapping', undefined],
      [
        'warning',
        'b.options',
        '"options" has an effect only with "type: dict", or "type: list" and "elements: dict"',
        undefined,
      ],
      ['error', 'c.elements', 'there is no type "["int"]"', `the types are ${TYPES.join(', ')}`],
      ['warning', 'c.requierd', '"requierd" is not a key of an argument specification', 'did you mean "required"?'],
      ['warning', 'c.unheardOf', '"unheardOf" is not a key of an argument specification', undefined],
      ['error', 'd.default', '"d" cannot be required and have a default', 'remove one of them'],
      ['error', 'e.elements', '"elements" is for "type: list" only', undefined],
      [
        'warning',
        'e.options',
        '"options" has an effect only with "type: dict", or "type: list" and "elements: dict"',
        undefined,
      ],
      ['error', 'e.options.g', 'the option "g" must be a mapping, such as "type: str"', undefined],
    ]);
  });

  it('must have lists as rules', () => {
    expect(checkRules({ required_if: {}, required_by: [], mutually_exclusive: [] })).to.deep.equal([
      { severity: 'error', path: ['required_if'], message: '"required_if" must be a list' },
      { severity: 'error', path: ['required_by'], message: '"required_by" must be a mapping' },
    ]);
  });

  it('is refused by the task if it is invalid', () => {
    expect(mistakeIn({ a: { type: 'dict', options: { b: { type: 'x' } } } })).to.equal(
      'argument_spec.a.options.b.type: there is no type "x"',
    );
    expect(mistakeIn({ a: { whatever: 1 } })).to.equal(undefined);
  });
});
