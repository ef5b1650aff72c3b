import * as Type from 'typebox';
import { builtInKinds } from '../src/kinds/kind_table.js';
import { builtInFields } from '../src/module/arguments/kind_schema.js';
import { singleton } from '../src/module/collection.js';
import { declaration, SINGLE_CONTROLS } from '../src/module/comparison/desired.js';
import { defineResource } from '../src/module/contract.js';
import { ALLOW_LOCKOUT, guardAccess } from '../src/module/lockout.js';
import { SYSTEM_CONFIGURATION_FIELDS, SYSTEM_CONFIGURATION_MEMBERS } from './fields/system_configuration.js';

const args = Type.Object({ ...SYSTEM_CONFIGURATION_MEMBERS, ...SINGLE_CONTROLS, ...ALLOW_LOCKOUT });

export default defineResource({
  name: 'system_config',
  summary: 'sets the system configuration of a controller: DNS, NTP, portal and all other declared fields',
  description:
    'Reads the configuration, compares the declared fields, and writes the whole object with the new values, so that all other fields keep theirs. If a controller does not show its configuration, the task cannot compare: it writes the declared fields, together with those that earlier tasks of the run wrote, and is `changed`.',
  args,
  knownFields: SYSTEM_CONFIGURATION_FIELDS,
  knownFieldsFor: (given) => builtInFields('systemconfiguration', given),
  examples: [
    `
- name: DNS, NTP and portal are configured
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
    (given: Type.Static<typeof args>) => ({
      object: 'system configuration',
      path: '/api/systemconfiguration',
      structure: () => builtInKinds().kind('systemconfiguration')?.structure,
      ...declaration(given, Object.keys(ALLOW_LOCKOUT)),
    }),
    guardAccess,
  ),
});
