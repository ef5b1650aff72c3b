import { expect } from 'chai';
import * as Type from 'typebox';
import addHost from '../../../modules/add_host.js';
import apiRequest from '../../../modules/api_request.js';
import cloudPresent from '../../../modules/cloud_present.js';
import debug from '../../../modules/debug.js';
import fail from '../../../modules/fail.js';
import groupBy from '../../../modules/group_by.js';
import includeTasks from '../../../modules/include_tasks.js';
import includeVars from '../../../modules/include_vars.js';
import pause from '../../../modules/pause.js';
import resourceFacts from '../../../modules/resource_facts.js';
import resourcePresent from '../../../modules/resource_present.js';
import setFact from '../../../modules/set_fact.js';
import systemConfig from '../../../modules/system_config.js';
import { Unsafe, type Value } from '../../../src/core/model/values/value.js';
import { coerce } from '../../../src/module/arguments/coercion.js';
import {
  publicArguments,
  secretArguments,
  textsIn,
  validateArguments,
} from '../../../src/module/arguments/validation.js';
import { defineAction, type Module } from '../../../src/module/contract.js';

function problems(module: Module, args: Value, mode: 'static' | 'rendered' = 'static'): readonly string[] {
  const checked = validateArguments(module, args, mode);
  if (!('problems' in checked)) return [];
  return checked.problems.map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`));
}

function accepted(module: Module, args: Value, mode: 'static' | 'rendered' = 'rendered'): Value {
  const checked = validateArguments(module, args, mode);
  if ('problems' in checked) throw new Error(checked.problems.map(({ message }) => message).join('\n'));
  return checked.args;
}

describe('validating arguments', () => {
  const wrong: readonly [what: string, module: Module, args: Value, messages: readonly string[]][] = [
    ['a missing argument', cloudPresent, {}, ['cloud_present needs "name"']],
    ['an empty name', cloudPresent, { name: '' }, ['"name" must be a name, not ""']],
    ['an empty text', includeTasks, { file: '' }, ['"file" must be a non-empty string, not ""']],
    ['a public argument with the name of a secret', groupBy, { key: '' }, ['"key" must be a name, not ""']],
    [
      'a fraction in place of text',
      cloudPresent,
      { name: 4.2 },
      ['"name" must be a string, not 4.2 (quote it: "4.2")'],
    ],
    ['a list in place of text', cloudPresent, { name: ['a'] }, ['"name" must be a string, not a list']],
    [
      'a misspelled choice',
      cloudPresent,
      { name: 'a', secrets: 'alway' },
      ['"secrets" must be "on_create" or "always", not "alway" (did you mean "always"?)'],
    ],
    [
      'rules for merging a list',
      cloudPresent,
      { name: 'a', merge: { servers: { by: ['addr'], ad: false }, routes: { by: 'addr' }, pools: 5 } },
      ['another mapping', 'another mapping', '5'].map(
        (given, index) =>
          `"merge.${['servers', 'routes', 'pools'][index]}" must be a list of fields such as [ip.addr, port], or {by: [ip.addr, port], add: false}, not ${given}`,
      ),
    ],
    [
      'wrong types deep inside, all at once',
      systemConfig,
      {
        dns_configuration: { search_domain: ['x'], server_list: [{ type: 'V4', addr: 5.5 }] },
        portal_configuration: { http_port: 'eighty', enable_http: 'maybe' },
      },
      [
        '"dns_configuration.search_domain" must be a string, not a list',
        '"dns_configuration.server_list[0].addr" must be a string, not 5.5 (quote it: "5.5")',
        '"portal_configuration.http_port" must be an integer, not "eighty"',
        '"portal_configuration.enable_http" must be true or false, not "maybe"',
      ],
    ],
    [
      'a fraction',
      systemConfig,
      { portal_configuration: { http_port: 80.5 } },
      ['"portal_configuration.http_port" must be an integer, not 80.5'],
    ],
    ['null for a required argument', cloudPresent, { name: null }, ['"name" must be a string, not null']],
    [
      'a path outside the API',
      resourcePresent,
      { path: '/api/../etc' },
      ['"path" must be a path under /api/, such as /api/cloud/, not "/api/../etc"'],
    ],
    ['an unknown name', debug, { mesg: 'x' }, ['"mesg" is not an argument of debug (did you mean "msg"?)']],
    [
      'a name that is not similar to any',
      pause,
      { seconds: 1, ahead: 'x' },
      ['"ahead" is not an argument of pause (it takes seconds, minutes, prompt, echo)'],
    ],
    ['no arguments at all', setFact, null, ['set_fact needs at least 1 argument']],
    [
      'none of the arguments of which one is required',
      includeVars,
      null,
      ['include_vars needs "file" or "dir" (write its arguments below the module, indented further)'],
    ],
    [
      'a typo in one of them',
      addHost,
      { nme: 'lb9' },
      ['add_host needs "name", "hostname" or "host" (did you mean "name" instead of "nme"?)'],
    ],
    [
      'a list with elements of the wrong type',
      addHost,
      { name: 'lb9', groups: [true] },
      ['"groups" must be a string or a list, not a list of other things'],
    ],
    [
      'arguments that exclude each other',
      debug,
      { msg: 'x', var: 'y' },
      ['debug takes either "msg" or "var", not both'],
    ],
    ['a number below the minimum', pause, { seconds: -1 }, ['"seconds" must be >= 0, not -1']],
    [
      'a value that matches no alternative',
      apiRequest,
      { path: '/api/x', status_code: 'x' },
      ['"status_code" must be an integer or a list, not "x"'],
    ],
    [
      'a name that cannot be a variable',
      setFact,
      { 'a-b': 1 },
      ['"a-b" is not a valid name here: use letters, digits and underscores, and do not begin with a digit'],
    ],
    ['text in place of a mapping', debug, 'hello', ['the arguments of debug must be a mapping of names to values']],
  ];
  for (const [what, module, args, messages] of wrong) {
    it(`refuses ${what}`, () => {
      expect(problems(module, args)).to.deep.equal(messages);
    });
  }

  it('reports the position', () => {
    const checked = validateArguments(systemConfig, { portal_configuration: { http_port: 'x' } }, 'static');
    expect(checked).to.have.nested.property('problems[0].path').that.deep.equals(['portal_configuration', 'http_port']);
  });

  it('does not show a secret value', () => {
    const args = Type.Object({ pin: Type.Integer({ secret: true }) });
    const module = defineAction({
      name: 'm',
      summary: '',
      args,
      examples: [],
      check: true,
      run: () => Promise.reject(new Error()),
    });
    expect(problems(module, { pin: 'hunter2' })).to.deep.equal(['"pin" must be an integer, not a string']);
  });

  it('fills in defaults', () => {
    expect(accepted(cloudPresent, { name: 'a' })).to.deep.equal({ name: 'a', replace: false, secrets: 'on_create' });
    expect(accepted(fail, null)).to.deep.equal({ msg: 'Failed as requested from task' });
  });

  it('does not change its input', () => {
    const args = Object.freeze({ name: 'a' });
    accepted(cloudPresent, args);
    expect(args).to.deep.equal({ name: 'a' });
  });

  it('converts texts to the declared types, as for k=v arguments and the results of templates', () => {
    expect(
      accepted(systemConfig, {
        portal_configuration: { http_port: '8080', enable_http: 'yes', redirect_to_https: 'False' },
        allow_lockout: 'on',
      }),
    ).to.deep.include({
      portal_configuration: { http_port: 8080, enable_http: true, redirect_to_https: false },
      allow_lockout: true,
    });
    expect(accepted(pause, { seconds: '1.5' })).to.deep.equal({ seconds: 1.5 });
    expect(accepted(resourcePresent, { path: '/api/x', properties: '{"a": 1}' })).to.deep.include({
      properties: { a: 1 },
    });
    for (const [text, properties] of [
      ['{"a": True, "b": [False, None]}', { a: true, b: [false, null] }],
      ["{'a': 'it', \n 'b': (1, -2.5)}", { a: 'it', b: [1, -2.5] }],
      ['{"a": True, "b": true, "c": null}', { a: true, b: true, c: null }],
      ['{"a": True, "b": 12345678901234567890}', { a: true, b: 12345678901234567890n }],
    ] as const)
      expect(coerce({ type: 'object' }, text, true)).to.deep.equal(properties);
    expect(coerce({ type: 'array' }, '[True]', true)).to.deep.equal([true]);
    for (const [schema, text] of [
      [{ type: 'string' }, '{"a": True}'],
      [{ type: 'array' }, '{"a": True}'],
      [{ type: 'object' }, '{1, 2}'],
      [{ type: 'object' }, '{"a": true} x'],
    ] as const)
      expect(coerce(schema, text, true)).to.equal(text);
    expect(accepted(apiRequest, { path: '/api/x', status_code: '204' })).to.deep.include({ status_code: 204 });
  });

  it('accepts numbers and booleans as a message, but not as a name', () => {
    for (const mode of ['static', 'rendered'] as const) {
      expect(accepted(fail, { msg: false }, mode)).to.deep.equal({ msg: 'False' });
      expect(accepted(pause, { prompt: 5 }, mode)).to.deep.equal({ prompt: '5' });
      expect(accepted(debug, { msg: 5 }, mode)).to.deep.include({ msg: 5 });
      expect(problems(cloudPresent, { name: true }, mode)).to.deep.equal([
        '"name" must be a string, not true (quote it: "true")',
      ]);
    }
  });

  it('converts whole numbers, and fractions of templates, to text', () => {
    for (const mode of ['static', 'rendered'] as const) {
      expect(accepted(cloudPresent, { name: 42 }, mode)).to.deep.include({ name: '42' });
      const server_list = [{ type: 'V4', addr: 42 }];
      expect(accepted(systemConfig, { dns_configuration: { server_list } }, mode)).to.deep.include({
        dns_configuration: { server_list: [{ type: 'V4', addr: '42' }] },
      });
    }
    expect(accepted(cloudPresent, { name: 4.2 })).to.deep.include({ name: '4.2' });
  });

  it('splits a text at its commas where a list is declared', () => {
    const path = '/api/cloud';
    for (const mode of ['static', 'rendered'] as const) {
      expect(accepted(resourceFacts, { path, fields: 'name' }, mode)).to.deep.include({ fields: ['name'] });
      expect(accepted(resourceFacts, { path, fields: 'name,mtu' }, mode)).to.deep.include({ fields: ['name', 'mtu'] });
      expect(accepted(resourceFacts, { path, fields: '["name"]' }, mode)).to.deep.include({ fields: ['name'] });
      expect(accepted(resourceFacts, { path, fields: 5 }, mode)).to.deep.include({ fields: ['5'] });
      expect(accepted(apiRequest, { path, status_code: '200,404' }, mode)).to.deep.include({ status_code: [200, 404] });
      for (const fields of ['', '["name', '{name}', true, 1.5])
        expect(problems(resourceFacts, { path, fields }, mode)).to.satisfy(([one]: string[]) =>
          one?.startsWith('"fields" must be a list, not '),
        );
    }
    expect(accepted(resourceFacts, { path, fields: '{{ a }},b' }, 'static')).to.deep.include({ fields: '{{ a }},b' });
  });

  it('accepts any value as the message of fail', () => {
    for (const msg of [['a', 'b'], [1, { a: 1 }], { a: 1 }])
      expect(accepted(fail, { msg }, 'static')).to.deep.equal({ msg });
    expect(accepted(pause, { prompt: ['a', 1] })).to.deep.equal({ prompt: '["a",1]' });
  });

  it('does not change unknown fields', () => {
    expect(accepted(cloudPresent, { name: 'a', other: '1500' })).to.deep.include({ other: '1500' });
  });

  it('does not check texts with templates before the run', () => {
    expect(
      problems(systemConfig, { portal_configuration: { http_port: '{{port}}', enable_http: '{{x}}' } }),
    ).to.deep.equal([]);
    expect(problems(systemConfig, { dns_configuration: '{{dns}}' })).to.deep.equal([]);
    expect(problems(systemConfig, { dns_configuration: '{% if a %}{}{% endif %}' })).to.deep.equal([]);
    expect(problems(systemConfig, '{{everything}}')).to.deep.equal([]);
    expect(problems(apiRequest, { path: '/api/{{x}}', status_code: '{{codes}}' })).to.deep.equal([]);
    expect(problems(systemConfig, { dns_configuration: '{{dns}}' }, 'rendered')).to.have.length(1);
  });

  it('checks names that templates make, and elements to remove, only when they are rendered', () => {
    expect(problems(setFact, { '{{ name }}': 1 })).to.deep.equal([]);
    expect(problems(setFact, { '{{ name }}': 1 }, 'rendered')).to.have.length(1);
    const args = { name: 'web', without: { servers: [{}] } };
    expect(problems(cloudPresent, args)).to.deep.equal([]);
    expect(problems(cloudPresent, args, 'rendered')).to.deep.equal([
      'an element to remove from "servers" has no values, so it would match every element (to empty the list, declare "servers: []")',
    ]);
  });

  it('refuses keywords and empty tenants among the fields of an object, but not among facts', () => {
    expect(problems(cloudPresent, { name: 'a', when: 'x', tags: ['x'] })).to.deep.equal([
      '"when" is not an argument of cloud_present (it is a keyword of a task: write it beside "cloud_present", not among its arguments)',
    ]);
    expect(problems(cloudPresent, { name: 'a', when: 'x' }, 'rendered')).to.deep.equal([]);
    expect(problems(setFact, { when: 'x' })).to.deep.equal([]);
    expect(problems(cloudPresent, { name: 'a', tenant_ref: '' })).to.deep.equal([
      '"tenant_ref" must be the name of a tenant, not ""',
    ]);
    expect(problems(cloudPresent, { name: 'a\ud83d' })).to.deep.equal([
      '"name" contains \\ud83d, which is half of a character (write the character itself, or both halves, such as "\\ud83d\\ude00")',
    ]);
  });

  it('checks each argument by its own pattern', () => {
    const letters = Type.String({ pattern: '^[a-z]+$', expects: 'letters' });
    const digits = Type.String({ pattern: '^[0-9]+$', expects: 'digits' });
    const module = defineAction({
      name: 'two_patterns',
      summary: 'has two patterns',
      args: Type.Object({ letters, digits }),
      examples: [],
      check: true,
      run: () => Promise.resolve({ status: 'ok' as const }),
    });
    expect(problems(module, { letters: 'abc', digits: '123' })).to.deep.equal([]);
    expect(problems(module, { letters: '123', digits: 'abc' })).to.deep.equal([
      '"letters" must be letters, not "123"',
      '"digits" must be digits, not "abc"',
    ]);
  });

  it('treats !unsafe text as text', () => {
    expect(problems(cloudPresent, { name: new Unsafe('a {{b}}') })).to.deep.equal([]);
  });
});

describe('secret arguments', () => {
  it('are declared as secret', () => {
    const args = Type.Object({ community: Type.String({ secret: true }), name: Type.String() });
    const module = defineAction({
      name: 'm',
      summary: '',
      args,
      examples: [],
      check: true,
      run: () => Promise.reject(new Error()),
    });
    expect(secretArguments(module, { community: 'hidden', name: 'shown' })).to.deep.equal(['hidden']);
  });

  it('exclude arguments that are declared as not secret, even with a secret name', () => {
    expect(secretArguments(groupBy, { key: 'gold', parents: ['metals'] })).to.deep.equal([]);
  });

  it('are the values of secret names in pairs of name and value, not the names', () => {
    const pairs = [
      { key: 'edge', value: 'shown' },
      { key: 'password', value: 'hidden' },
    ];
    expect(secretArguments(cloudPresent, { name: 'a', pairs })).to.deep.equal(['hidden']);
  });

  it('include known secret fields beyond the API document', () => {
    const keys = [
      { key: 'first', key_number: 1 },
      { key: 'second', key_number: 2 },
    ];
    expect(secretArguments(systemConfig, { ntp_configuration: { ntp_authentication_keys: keys } })).to.deep.equal([
      'first',
      'second',
    ]);
  });

  it('include arguments with secret names, at any depth', () => {
    const args = {
      name: 'edge',
      custom_tags: [{ tag_key: 'env', tag_val: 'prod' }],
      unheard_of: { list: [{ api_token: 't0ken', user: 'u' }], se_image_pull_secret: { a: ['s1', 2] } },
      password_strength_check: 'true',
    };
    expect(secretArguments(cloudPresent, args)).to.deep.equal(['t0ken', 's1', '2']);
  });

  it('are known from known fields, also in lists of lists, and are no paths of files', () => {
    const module = defineAction({
      name: 'm',
      summary: '',
      args: Type.Object({
        open: Type.Object({}, { secret: false }),
        pass: Type.Array(Type.String(), { secret: true }),
      }),
      examples: [],
      check: true,
      knownFieldsFor: () => [
        {
          type: 'object',
          properties: {
            codes: { type: 'array', items: { type: 'array', items: { properties: { pin: { secret: true } } } } },
            words: { type: 'array' },
          },
        },
      ],
      run: () => Promise.reject(new Error()),
    });
    const args = {
      pass: ['p1', 2, { a: ['p3', true, null] }],
      open: { password: 'p4', text: 'x' },
      codes: [[{ pin: 'p5', x: 'x' }], [{ pin: 6 }]],
      words: ['x'],
      password: '/',
      api_key: ['/', 'p7'],
    };
    expect(secretArguments(module, args)).to.deep.equal(['p1', '2', 'p3', 'p4', 'p5', '6', 'p7']);
    expect(secretArguments(module, 'password=x')).to.deep.equal([]);
    expect(publicArguments(module)).to.deep.equal(['open']);
    expect(textsIn({ a: [1, 'b', [2n]], c: null, d: { e: false } })).to.deep.equal(['1', 'b', '2']);
  });
});
