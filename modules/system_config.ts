import * as Type from 'typebox';
import type { Static } from 'typebox';
import { defineResource } from '../src/module/contract.js';
import { CONTROLS, declaration } from '../src/module/desired.js';
import { ALLOW_LOCKOUT, guardAccess } from '../src/module/lockout.js';
import { singleton } from '../src/module/singleton.js';
import { SYSTEM_CONFIGURATION_FIELDS } from './fields/system_configuration.js';

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const address = (type: string) => ({ type: text(type), addr: text('address of the server') });

const args = Type.Object({
  dns_configuration: Type.Optional(
    Type.Object({
      search_domain: text('domain in which short names are looked up'),
      server_list: Type.Optional(
        Type.Array(Type.Object(address('`V4` for an IPv4 address')), { description: 'DNS servers, in order' }),
      ),
    }),
  ),
  ntp_configuration: Type.Optional(
    Type.Object({
      ntp_servers: Type.Optional(
        Type.Array(Type.Object({ server: Type.Optional(Type.Object(address('`DNS` for a host name'))) }), {
          description: 'time servers, in order',
        }),
      ),
    }),
  ),
  portal_configuration: Type.Optional(
    Type.Object({
      password_strength_check: flag('refuse weak passwords'),
      use_uuid_from_input: flag('accept uuids from clients'),
      redirect_to_https: flag('send HTTP visitors to HTTPS'),
      enable_clickjacking_protection: flag('forbid showing the portal in frames'),
      enable_https: flag('serve HTTPS; Evenkeel needs it'),
      disable_remote_cli_shell: flag('no remote command line'),
      http_port: Type.Optional(Type.Integer({ description: 'port of HTTP' })),
      enable_http: flag('serve HTTP'),
      allow_basic_authentication: flag('accept Basic authentication; Evenkeel needs it'),
    }),
  ),
  ...CONTROLS,
  ...ALLOW_LOCKOUT,
});

export default defineResource({
  name: 'system_config',
  summary: 'sets the system configuration of a controller: DNS, NTP, portal and whatever else is declared',
  description:
    'Reads the configuration, compares the declared fields, and writes the whole object back with the differing ones changed, so that nothing else is lost. A controller that cannot show its configuration gets the declared fields, together with those that earlier tasks of the run gave it; the task is then `changed` and could not be compared.',
  args,
  hints: SYSTEM_CONFIGURATION_FIELDS,
  examples: [
    `
- name: DNS, NTP and portal are as agreed
  system_config:
    dns_configuration:
      search_domain: example.com
      server_list:
        - { type: V4, addr: 10.0.0.53 }
    ntp_configuration:
      ntp_servers:
        - server: { type: DNS, addr: ntp.example.com }
    portal_configuration:
      redirect_to_https: true
      allow_basic_authentication: true
`,
  ],
  ...singleton(
    (given: Static<typeof args>) => ({
      object: 'system configuration',
      path: '/api/systemconfiguration',
      ...declaration(given, Object.keys(ALLOW_LOCKOUT)),
    }),
    guardAccess,
  ),
});
