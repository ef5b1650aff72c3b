import { expect } from 'chai';
import validate from '../../modules/validate_argument_spec.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import { act } from '../rig/action_context.js';

const spec = { port: { type: 'int', required: true }, key: { no_log: true } };

describe('validate_argument_spec', () => {
  it('reads the provided arguments, and variables of the same names', async () => {
    const about = { name: 'web', type: 'role' };
    const variables = { port: '80', other: 1 };
    expect(await act(validate, { argument_spec: spec, validate_args_context: about }, { variables })).to.deep.equal({
      status: 'ok',
      message: 'The arg spec validation passed',
      values: { validate_args_context: about, msg: 'The arg spec validation passed' },
    });
    const given = { argument_spec: spec, provided_arguments: { port: 'x' } };
    expect(await act(validate, given, { variables })).to.have.property('status', 'failed');
  });

  it('reports every problem', async () => {
    const given = { argument_spec: spec, provided_arguments: { prot: 1 }, required_one_of: [['port', 'key']] };
    const errors = [
      'unsupported parameter: prot (did you mean "port"?). Supported parameters include: key, port',
      'missing required arguments: port',
      'one of the following is required: port, key',
    ];
    const message = `Validation of arguments failed:\n${errors.join('\n')}`;
    expect(await act(validate, given)).to.deep.equal({
      status: 'failed',
      message,
      values: { validate_args_context: {}, msg: message, argument_spec_data: spec, argument_errors: errors },
    });
  });

  it('masks secrets and warns of deprecated arguments', async () => {
    const hidden: string[] = [];
    const warned: string[] = [];
    const given = { argument_spec: { key: { no_log: true, removed_in_version: '2' } } };
    await act(validate, given, { variables: { key: 'hush-hush' }, hidden, warned });
    expect(hidden).to.deep.equal(['hush-hush']);
    expect(warned).to.deep.equal(['the argument "key" is deprecated and will be removed in version 2']);
  });

  const broken: readonly (readonly [rules: Mapping, given: Mapping, error: string])[] = [
    [{ mutually_exclusive: [['a', 'b']] }, { a: 1, b: 2 }, 'parameters are mutually exclusive: a|b'],
    [{ required_together: [['a', 'b']] }, { a: 1 }, 'parameters are required together: a, b'],
    [{ required_by: { a: ['b'] } }, { a: 1 }, "missing parameter(s) required by 'a': b"],
    [{ required_if: [['a', '1', ['b']]] }, { a: 1 }, 'a is 1 but all of the following are missing: b'],
  ];
  for (const [rules, given, error] of broken)
    it(`reports arguments against ${Object.keys(rules).join()}`, async () => {
      const call = { argument_spec: { a: {}, b: {} }, provided_arguments: given, ...rules };
      expect(await act(validate, call))
        .to.have.nested.property('values.argument_errors')
        .that.deep.equals([error]);
    });

  const wrong: readonly (readonly [option: Mapping, message: string])[] = [
    [{ type: 'flaot' }, 'argument_spec.a.type: there is no type "flaot"'],
    [{ required: true, default: 1 }, 'argument_spec.a.default: "a" cannot be required and have a default'],
    [{ type: 'str', elements: 'int' }, 'argument_spec.a.elements: "elements" is for "type: list" only'],
  ];
  for (const [option, message] of wrong)
    it(`fails for the specification ${JSON.stringify(option)}`, async () => {
      expect(await act(validate, { argument_spec: { a: option } })).to.deep.equal({ status: 'failed', message });
    });
});
