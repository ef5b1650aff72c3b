import { expect } from 'chai';
import * as Type from 'typebox';
import cloudPresent from '../../../modules/cloud_present.js';
import { CLOUD_FIELDS } from '../../../modules/fields/cloud.js';
import {
  SYSTEM_CONFIGURATION_FIELDS,
  SYSTEM_CONFIGURATION_MEMBERS,
} from '../../../modules/fields/system_configuration.js';
import resourcePresent from '../../../modules/resource_present.js';
import systemConfig from '../../../modules/system_config.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { validateArguments } from '../../../src/module/arguments/validation.js';
import type { Module } from '../../../src/module/contract.js';
import { schemaTypes, type Schema } from '../../../src/module/schema.js';

function warnings(module: Module, args: Mapping): readonly string[] {
  const checked = validateArguments(module, args, 'static');
  if ('problems' in checked) throw new Error(checked.problems.map(({ message }) => message).join('\n'));
  return checked.warnings.map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`));
}

describe('advice about fields beyond the API document', () => {
  const cases: readonly [what: string, module: Module, args: Mapping, messages: readonly string[]][] = [
    [
      'a typo in a known name',
      cloudPresent,
      { name: 'a', mtuu: 1 },
      ['unknown field "mtuu" of cloud_present; sent unchanged (did you mean "mtu"?)'],
    ],
    [
      'a portal field at the top level',
      systemConfig,
      { http_port: 80 },
      ['unknown field "http_port" of system_config; sent unchanged (did you mean "portal_configuration.http_port"?)'],
    ],
    [
      'a known field in another member',
      systemConfig,
      { dns_configuration: { ntp_servers: [] } },
      [
        'unknown field "dns_configuration.ntp_servers" of system_config; sent unchanged (did you mean "ntp_configuration.ntp_servers"?)',
      ],
    ],
    [
      'an element of ntp_servers without "server"',
      systemConfig,
      { ntp_configuration: { ntp_servers: [{ addr: 'ntp', type: 'DNS' }] } },
      [
        'unknown field "ntp_configuration.ntp_servers[0].addr" of system_config; sent unchanged (did you mean "ntp_configuration.ntp_servers[0].server.addr"?)',
        'unknown field "ntp_configuration.ntp_servers[0].type" of system_config; sent unchanged (did you mean "ntp_configuration.ntp_servers[0].server.type"?)',
      ],
    ],
    [
      'an element of ntp_server_list with "server"',
      systemConfig,
      { ntp_configuration: { ntp_server_list: [{ server: { addr: 'ntp', type: 'DNS' } }] } },
      [
        'unknown field "ntp_configuration.ntp_server_list[0].server" of system_config; sent unchanged ("ntp_configuration.ntp_server_list" takes addr, type)',
      ],
    ],
    [
      'a number outside the known bounds',
      systemConfig,
      { portal_configuration: { http_port: 70000 } },
      ['"portal_configuration.http_port" should be an integer from 1 to 65535; sent unchanged'],
    ],
    [
      'a typo in a known choice',
      systemConfig,
      { dns_configuration: { server_list: [{ type: 'v4', addr: '10.0.0.1' }] } },
      ['"dns_configuration.server_list[0].type" should be "V4", "V6" or "DNS"; sent unchanged (did you mean "V4"?)'],
    ],
    [
      'a field that the controller sets',
      cloudPresent,
      { name: 'a', uuid: 'u' },
      ['"uuid" is set by the controller; this value is ignored'],
    ],
  ];
  for (const [what, module, args, messages] of cases) {
    it(`warns of ${what}`, () => {
      expect(warnings(module, args)).to.deep.equal(messages);
    });
  }

  it('does not warn of known fields, templates, and names unlike any known one', () => {
    const args = {
      name: 'a',
      mtu: '{% if jumbo %}9000{% else %}1500{% endif %}',
      vtype: 'CLOUD_NONE',
      custom_tags: [{ tag_key: 'a', tag_val: 'b' }],
      something_of_another_release: { http_port: 1 },
    };
    expect(warnings(cloudPresent, args)).to.deep.equal([]);
  });
});

describe('fields of known types', () => {
  const NAMED = { cloud_present: { name: 'a' }, system_config: {}, resource_present: { name: 'a' } };
  const places: readonly [module: Module, schema: Type.TObject, place: (fields: Value) => Mapping][] = [
    [cloudPresent, CLOUD_FIELDS, (fields) => ({ ...NAMED.cloud_present, ...(fields as Mapping) })],
    [systemConfig, SYSTEM_CONFIGURATION_FIELDS, (fields) => fields as Mapping],
    [systemConfig, systemConfig.args, (fields) => fields as Mapping],
    [resourcePresent, CLOUD_FIELDS, (properties) => ({ path: '/api/cloud', name: 'a', properties })],
    [resourcePresent, CLOUD_FIELDS, (properties) => ({ path: '/api/cloud/x-1', properties })],
    [resourcePresent, SYSTEM_CONFIGURATION_FIELDS, (properties) => ({ path: '/api/systemconfiguration', properties })],
    [
      resourcePresent,
      Type.Object(SYSTEM_CONFIGURATION_MEMBERS),
      (properties) => ({ path: '/api/systemconfiguration/', properties }),
    ],
  ];
  const samples: Readonly<Record<string, { given: Value; sent: Value; refused: Value }>> = {
    integer: { given: '1700', sent: 1700, refused: 'wide' },
    boolean: { given: 'No', sent: false, refused: 'maybe' },
    string: { given: 1700, sent: '1700', refused: true },
    array: { given: ' []\n', sent: [], refused: true },
    object: { given: '{}', sent: {}, refused: [] },
  };

  for (const [module, schema, place] of places) {
    for (const { path, type, around } of scalarsOf(schema)) {
      const sample = samples[type];
      if (sample === undefined) continue;
      it(`are converted or refused: ${module.name} needs ${path} as ${type}`, () => {
        const ask = (value: Value) => validateArguments(module, place(around(value)), 'rendered');
        expect(ask(sample.given))
          .to.have.property('args')
          .that.deep.includes(place(around(sample.sent)));
        expect(ask(sample.refused)).to.have.property('problems');
      });
    }
  }

  it('are refused before the run if they have no templates', () => {
    const checked = validateArguments(cloudPresent, { name: 'a', mtu: 'wide', dhcp_enabled: '{{ x }}' }, 'static');
    expect(checked).to.deep.equal({
      problems: [{ path: ['mtu'], message: '"mtu" must be an integer, not "wide"' }],
    });
  });

  it('are not doubted if they are null, which equals a missing field', () => {
    for (const field of Object.keys(CLOUD_FIELDS.properties))
      expect(warnings(cloudPresent, { name: 'a', [field]: null }), field).to.deep.equal([]);
  });

  it('name a tenant, everywhere that a module has fields of an object', () => {
    const places: readonly [Module, (fields: Mapping) => Mapping, string][] = [
      [cloudPresent, (fields) => ({ name: 'a', ...fields }), ''],
      [cloudPresent, (match) => ({ name: 'a', match }), 'match.'],
      [systemConfig, (fields) => fields, ''],
      [resourcePresent, (properties) => ({ path: '/api/pool/', name: 'a', properties }), 'properties.'],
      [resourcePresent, (match) => ({ path: '/api/pool/', name: 'a', match }), 'match.'],
    ];
    for (const [module, around, before] of places) {
      for (const mode of ['static', 'rendered'] as const) {
        const checked = (tenant_ref: Value) => validateArguments(module, around({ tenant_ref }), mode);
        for (const wrong of ['', true, [], {}])
          expect(checked(wrong), `${before} ${JSON.stringify(wrong)}`)
            .to.have.nested.property('problems[0].message')
            .that.includes(`"${before}tenant_ref" must be the name of a tenant, not `);
        for (const right of ['blue', 5, '/api/tenant/?name=blue', null])
          expect(checked(right), `${before} ${JSON.stringify(right)}`).not.to.have.property('problems');
      }
      expect(validateArguments(module, around({ tenant_ref: '{{ t }}' }), 'static')).not.to.have.property('problems');
    }
  });

  it('are data if a rendered text contains braces, and unknown fields are passed on', () => {
    expect(validateArguments(cloudPresent, { name: 'a', mtu: '{{ 5 }}' }, 'rendered')).to.have.property('problems');
    const unknown = { name: 'a', other: '1700', markers: [{ key: '5' }], vcenter_configuration: { port: '443' } };
    expect(validateArguments(cloudPresent, unknown, 'rendered'))
      .to.have.property('args')
      .that.deep.includes(unknown);
  });
});

interface Place {
  readonly path: string;
  readonly type: string;
  /** Nests a value at a path. */
  readonly around: (value: Value) => Value;
}

/** Every path of a schema whose value has exactly one type. */
function scalarsOf(schema: Schema, path = '', around: Place['around'] = (value) => value): readonly Place[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    if (['replace', 'secrets', 'allow_lockout', 'name'].includes(name) || inner.enum !== undefined) return [];
    const at = path === '' ? name : `${path}.${name}`;
    const within = (value: Value): Value => around({ [name]: value });
    const items = inner.items === undefined ? [] : scalarsOf(inner.items, `${at}[]`, (value) => within([value]));
    return [
      { path: at, type: schemaTypes(inner).join(' '), around: within },
      ...items,
      ...scalarsOf(inner, at, within),
    ];
  });
}
