import { expect } from 'chai';
import cloudPresent from '../../modules/cloud_present.js';
import systemConfig from '../../modules/system_config.js';
import type { Mapping } from '../../src/model/value.js';
import type { Module } from '../../src/module/contract.js';
import { validateArguments } from '../../src/module/validation.js';

function warnings(module: Module, args: Mapping): readonly string[] {
  const checked = validateArguments(module, args, 'static');
  if ('problems' in checked) throw new Error(checked.problems.map(({ message }) => message).join('\n'));
  return checked.warnings.map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`));
}

describe('advice about fields beyond the API document', () => {
  const cases: readonly [what: string, module: Module, args: Mapping, messages: readonly string[]][] = [
    [
      'a slip of a known name',
      cloudPresent,
      { name: 'a', mtuu: 1 },
      ['cloud_present knows no field "mtuu"; it is passed on as it is (did you mean "mtu"?)'],
    ],
    [
      'a portal field at the top',
      systemConfig,
      { http_port: 80 },
      [
        'system_config knows no field "http_port"; it is passed on as it is (did you mean "portal_configuration.http_port"?)',
      ],
    ],
    [
      'a known field in another member',
      systemConfig,
      { dns_configuration: { ntp_servers: [] } },
      [
        'system_config knows no field "dns_configuration.ntp_servers"; it is passed on as it is (did you mean "ntp_configuration.ntp_servers"?)',
      ],
    ],
    [
      'the shape of ntp_servers without its server',
      systemConfig,
      { ntp_configuration: { ntp_servers: [{ addr: 'ntp', type: 'DNS' }] } },
      [
        'system_config knows no field "ntp_configuration.ntp_servers[0].addr"; it is passed on as it is (did you mean "ntp_configuration.ntp_servers[0].server.addr"?)',
        'system_config knows no field "ntp_configuration.ntp_servers[0].type"; it is passed on as it is (did you mean "ntp_configuration.ntp_servers[0].server.type"?)',
      ],
    ],
    [
      'the shape of ntp_server_list with a server',
      systemConfig,
      { ntp_configuration: { ntp_server_list: [{ server: { addr: 'ntp', type: 'DNS' } }] } },
      [
        'system_config knows no field "ntp_configuration.ntp_server_list[0].server"; it is passed on as it is ("ntp_configuration.ntp_server_list" takes addr, type)',
      ],
    ],
    [
      'a type that is known otherwise',
      cloudPresent,
      { name: 'a', mtu: '1500' },
      ['"mtu" is known to be an integer; it is passed on as it is'],
    ],
    [
      'a number out of the known bounds',
      systemConfig,
      { portal_configuration: { http_port: 70000 } },
      ['"portal_configuration.http_port" is known to be an integer from 1 to 65535; it is passed on as it is'],
    ],
    [
      'a slip of a known choice',
      systemConfig,
      { dns_configuration: { server_list: [{ type: 'v4', addr: '10.0.0.1' }] } },
      [
        '"dns_configuration.server_list[0].type" is known to be "V4", "V6" or "DNS"; it is passed on as it is (did you mean "V4"?)',
      ],
    ],
    [
      'what the controller sets itself',
      cloudPresent,
      { name: 'a', uuid: 'u' },
      ['"uuid" is set by the controller; what is given here is ignored'],
    ],
  ];
  for (const [what, module, args, messages] of cases) {
    it(`warns of ${what}`, () => {
      expect(warnings(module, args)).to.deep.equal(messages);
    });
  }

  it('is silent about known fields, templates, and names that resemble none', () => {
    const args = {
      name: 'a',
      mtu: '{{mtu}}',
      vtype: 'CLOUD_NONE',
      custom_tags: [{ tag_key: 'a', tag_val: 'b' }],
      something_of_another_release: { http_port: 1 },
    };
    expect(warnings(cloudPresent, args)).to.deep.equal([]);
  });
});
