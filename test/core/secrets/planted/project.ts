import { encrypt } from '../../../../src/project/vault/cipher.js';
import type { Simulator } from '../../../../src/simulator/simulator.js';
import { SECRETS } from './secrets.js';

const { controllerPassword, otherPassword, vaultPassword, number, headerNumber, listedNumber, privateKey } = SECRETS;

function quoted(text: string | number): string {
  return JSON.stringify(text);
}

function encrypted(text: string): Promise<string> {
  return encrypt(Buffer.from(text), { label: 'default', bytes: Buffer.from(vaultPassword) });
}

function indented(text: string, columns: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(columns));
}

/** What users do with values, without thinking of secrets. */
const TRANSFORMED = [
  '{{v}}',
  'x{{v}}y',
  '{% set p = v %}{% for one in [p] %}<{{ one | lower }}>{% endfor %}',
  '{{v | upper}}',
  '{{v | b64encode}}',
  '{{v | urlencode}}',
  '{{v | urlencode | urlencode}}',
  '{{v | to_json}}',
  '{{ {"a": v} | to_nice_yaml }}',
  '{{ {"a": [v]} | to_json | to_json }}',
  '{{v | quote}}',
  '{{v | string | replace("&", "&amp;") | replace("<", "&lt;") | replace(">", "&gt;")}}',
  '{{v | indent(8)}}',
  '{{v | title}}',
  '{{v | string | list | join("\0")}}',
  '{{v | string | list | join("\u202a")}}',
  '{{v | string | list | join("\u001b[1m")}}',
  '{{ ("admin:" ~ v) | b64encode }}',
  '{{ ({"user": "x", "p": v} | to_json) | b64encode }}',
];

/** Tasks that show a variable in every possible way. */
function shown(variable: string): string {
  return `
    - name: 'Show {{ ${variable} }} of ${variable}'
      debug:
        msg: ${quoted(TRANSFORMED.join(' | '))}
      vars: { v: '{{ ${variable} }}' }
    - debug: { var: ${variable} }
    - name: As a key, a label and a fact
      set_fact: { seen: '{{ {"k-" ~ ${variable}: [${variable}]} }}' }
      loop: ['{{ ${variable} }}']
      loop_control: { label: 'label {{ item }}' }
    - debug: { var: seen }
    - fail: { msg: 'it failed with {{ ${variable} }}' }
      ignore_errors: true
    - assert: { that: ['${variable} is not defined'] }
      ignore_errors: true
`;
}

const PLAYBOOK = `
- name: Planted
  hosts: lb1
  vars:
    play_password: ${quoted(SECRETS.playVariable)}
    statement_password: ${quoted(`{% if true %}${SECRETS.statement}{% endif %}`)}
    pipe_secret: '{{ lookup("pipe", "cat pipe.txt") }}'
    file_secret: '{{ lookup("file", "file.txt") }}'
    environment_value: '{{ lookup("env", "PLANTED_PASSWORD") }}'
    helper_token: '{{ make_token() }}'
    password_member: '{{ avi_credentials.password }}'
    session_member: '{{ avi_credentials.session_id }}'
    other_member: '{{ avi_credentials.anything }}'
  vars_files: [vars/file.yml]
  vars_prompt: [{ name: prompted }]
  roles: [{ role: planted, param_password: ${quoted(SECRETS.roleParameter)} }]
  handlers:
    - name: Tell
      debug: { msg: 'handled {{ handler_secret }}' }
      vars: { handler_secret: ${quoted(SECRETS.handler)} }
  tasks:
${[
  'controller_password',
  'inventory_secret',
  'group_token',
  'api_key',
  'db_password',
  'motd',
  'banner',
  'extra_password',
  'service_token',
  'prompted',
  'environment_value',
  'pipe_secret',
  'file_secret',
  'helper_token',
  'play_password',
  'statement_password',
  'vars_file_secret',
  'pin_token',
  'private_key',
  'vault_proxy_url',
  'password_member',
  'session_member',
  'other_member',
]
  .map(shown)
  .join('')}
    - debug: { msg: '{{ controller_headers }} {{ controller_headers["X-Auth-Token"] }} {{ controller_headers["X-Api-Key"] + 0 }}' }
    - debug: { msg: '{{ service_tokens | to_json }} {{ service_tokens[0].deep[0] | upper }} {{ service_tokens[1] }}' }
    - debug: { var: service_tokens }
    - debug: { var: avi_credentials }
    - debug: { msg: '{{ avi_credentials }} {{ avi_credentials | to_json | to_json }} {{ avi_credentials.token }} {{ avi_credentials.csrf_token | upper }}' }
    - debug: { msg: '{{ item.key }} is {{ item.value }}' }
      loop: '{{ avi_credentials | dict2items }}'
    - set_fact: { avi_credentials: '{{ avi_credentials }}', connection: '{{ avi_credentials }}' }
    - debug: { var: connection }
    - debug: { msg: 'task {{ task_secret }}' }
      vars: { task_secret: ${quoted(SECRETS.taskVariable)} }
      name: 'With {{ task_secret }}'
      changed_when: true
      notify: Tell
    - vars: { block_secret: '{{ "" }}${SECRETS.blockVariable.replaceAll("'", "''")}' }
      block:
        - debug: { msg: 'block {{ block_secret }}' }
          name: 'In a block {{ block_secret }}'
    - include_vars: included.yml
    - debug: { msg: 'included {{ included_secret | upper }}' }
    - include_tasks: included_tasks.yml
      vars: { include_password: ${quoted(SECRETS.includeParameter)} }
    - import_tasks: encrypted_tasks.yml
    - set_fact: { fact_password: ${quoted(SECRETS.factSet)} }
    - set_fact: { innocent: '{{ fact_password }}' }
${shown('innocent')}
    - add_host: { name: added, added_password: ${quoted(SECRETS.addedHost)} }
    - debug: { msg: '{{ hostvars.added.added_password }}' }
    - cloud_present:
        name: edge
        vcenter_configuration: { username: root, password: ${quoted(SECRETS.secretArgument)} }
      register: cloud
    - debug: { var: cloud }
    - system_config:
        ntp_configuration: { ntp_authentication_keys: [{ key_number: 1, algorithm: MD5, key: ${quoted(SECRETS.nestedField)} }] }
      register: system
    - debug: { msg: '{{ system | to_nice_yaml }}' }
    - debug: { msg: ${quoted(SECRETS.noLogArgument)} }
      no_log: true
      register: hidden
    - debug: { msg: 'hidden {{ hidden.msg }}' }
    - debug: { msg: 'item {{ item.text }}' }
      no_log: true
      loop: [{ text: ${quoted(SECRETS.noLogItem)} }]
      register: hidden_items
    - debug: { var: hidden_items }
    - debug: { msg: 'user {{ item.name }}' }
      loop: [{ name: joe, password: ${quoted(SECRETS.loopItem)} }]
    - api_request: { path: /api/cloud/ }
      register: clouds
    - debug: { msg: '{{ clouds.json.results | map(attribute="proxy_configuration.password", default="") | join(" ") }}' }
    - api_request:
        path: '/api/cloud/{{ echoed_secret | urlencode }}'
        method: PUT
        body: { name: edge }
      vars: { echoed_secret: ${quoted(SECRETS.echoed)} }
      ignore_errors: true
    - block:
        - api_request: { path: '/api/{{ rescued_text }}', method: DELETE }
          vars: { rescued_text: ${quoted(SECRETS.rescued)} }
          no_log: true
      rescue:
        - debug: { var: ansible_failed_result }
        - debug: { msg: '{{ ansible_failed_task }}' }
    - debug: { msg: 'the other is {{ hostvars.lb2.controller_password }}' }
    - api_request: { path: /api/cloud/ }
      delegate_to: lb2
    - debug: { msg: '{{ nothing_of + controller_password }}' }
`;

/** A module that fails in unforeseen ways, with its arguments in the message. */
const BREAKS = `import { defineAction, Type } from 'evenkeel';
export default defineAction({
  name: 'breaks',
  summary: 'breaks',
  args: Type.Object({
    given: Type.String(),
    later: Type.Optional(Type.Boolean()),
    pin: Type.Optional(Type.String({ secret: true, default: ${JSON.stringify(SECRETS.argumentDefault)} })),
  }),
  examples: [],
  check: false,
  run: ({ given, later }) => {
    const error = new Error('broke with ' + given, { cause: new TypeError('because of ' + given) });
    if (later !== true) throw error;
    setTimeout(() => { throw error; });
    return Promise.resolve({ status: 'ok', values: {} });
  },
});
`;

const LIST = ['lb1', 'lb2'] as const;

/** Two simulated controllers in a separate process, so that every file in the project was written by the command. */
export async function controllers(simulator: Simulator): Promise<readonly string[]> {
  const passwords = [controllerPassword, otherPassword];
  const standing = LIST.map((name, index) =>
    simulator.startController(name, { username: 'admin', password: passwords[index] ?? '' }),
  );
  return (await Promise.all(standing)).map(({ url }) => url);
}

function inventory([first = '', second = '']: readonly string[], own = ''): string {
  return `all:
  vars:
    controller_username: admin
    controller_api_version: 22.1.3
    controller_ca_file: ca.pem
    group_token: ${quoted(SECRETS.inventoryGroup)}
    vault_proxy_url: ${quoted(`http://proxy:${encodeURIComponent(SECRETS.proxy)}@127.0.0.1:9`)}
    controller_headers: { X-Auth-Token: ${quoted(SECRETS.header.trim().replaceAll(/[^ -~]/g, ''))}, X-Api-Key: ${headerNumber} }
  hosts:
    lb1:
      controller_url: ${first}
      controller_password: ${quoted(controllerPassword)}
      inventory_secret: ${quoted(SECRETS.inventoryHost)}${own}
    lb2:
      controller_url: ${second}
      controller_password: ${quoted(otherPassword)}
`;
}

/** All files of the project before a command runs. Only these may contain the secrets. */
export async function files(urls: readonly string[], ca: string): Promise<Readonly<Record<string, string>>> {
  return {
    'ca.pem': ca,
    'vault-password': vaultPassword,
    'inv.yml': inventory(urls),
    'proxied.yml': inventory(urls, `\n      controller_proxy: '{{ vault_proxy_url }}'\n      controller_patience: 0`),
    'open.yml': inventory(urls).replaceAll(/ +controller_password: .*\n/g, ''),
    'group_vars/all/credentials.yml': `avi_credentials: { controller: lb9.invalid, username: admin, api_version: 22.1.3, password: ${quoted(SECRETS.memberPassword)}, token: ${quoted(SECRETS.memberToken)}, csrf_token: ${quoted(SECRETS.memberCsrf)}, session_id: ${quoted(SECRETS.memberSession)}, anything: ${quoted(SECRETS.memberOther)} }\n`,
    'group_vars/all/plain.yml': `api_key: ${quoted(SECRETS.groupVarsFile)}\npin_token: ${number}\nservice_tokens: [{ deep: [${quoted(SECRETS.listed)}] }, ${listedNumber}]\nprivate_key: |\n${indented(privateKey, 2)}`,
    'group_vars/all/value.yml': `motd: !vault |\n${indented(await encrypted(SECRETS.vaultValue), 2)}`,
    'group_vars/all/vault.yml': await encrypted(`banner: ${quoted(SECRETS.vaultFile)}\n`),
    'host_vars/lb1.yml': `db_password: ${quoted(SECRETS.hostVarsFile)}\n`,
    'vars/file.yml': `vars_file_secret: ${quoted(SECRETS.variablesFile)}\n`,
    'included.yml': `included_secret: ${quoted(SECRETS.includedFile)}\n`,
    'included_tasks.yml': `- name: 'Included {{ include_password }}'\n  debug: { msg: '{{ include_password | b64encode }}' }\n`,
    'encrypted_tasks.yml': await encrypted(`- debug: { msg: ${quoted(SECRETS.encryptedTasks)} }\n`),
    'roles/planted/defaults/main.yml': `default_password: ${quoted(SECRETS.roleDefault)}\n`,
    'roles/planted/vars/main.yml': `role_password: ${quoted(SECRETS.roleVariable)}\n`,
    'roles/planted/tasks/main.yml': `- debug: { msg: '{{ default_password }} {{ role_password }} {{ param_password }}' }\n`,
    'filters/make_token.ts': `import { defineFilter } from 'evenkeel';\nexport default defineFilter({ name: 'make_token', signature: '', run: () => ${quoted(SECRETS.helper)} });\n`,
    'pipe.txt': SECRETS.pipe,
    'file.txt': SECRETS.file,
    'extra.yml': `service_token: ${quoted(SECRETS.extraVarsFile)}\n`,
    'args.yml': await encrypted(`msg: ${quoted(SECRETS.adHocFile)}\n`),
    'site.yml': PLAYBOOK,
    'encrypted.yml': await encrypted(
      `- hosts: lb1\n  tasks:\n    - debug: { msg: ${quoted(SECRETS.encryptedPlay)} }\n    - cloud_present: { name: edge, mtu: 1600 }\n`,
    ),
    'broken.yml': await encrypted(
      `- hosts: lb1\n  tasks:\n    - debug: { msg: '{{ ${SECRETS.encryptedPlay.replaceAll("'", '')}' }\n    - pause: { seconds: ${quoted(SECRETS.encryptedPlay)} }\n    - debugg: ${quoted(SECRETS.encryptedPlay)}\n`,
    ),
    'wrong.yml': `- hosts: lb1\n  tasks:\n    - pause: { seconds: '{{ api_key }}' }\n    - debug: { msg: '{{ play_password | nothing_like_that_filter }}' }\n    - pause: { secnds: ${quoted(SECRETS.playVariable)} }\n  vars: { play_password: ${quoted(SECRETS.playVariable)} }\n`,
    'crash.yml': `- hosts: lb1\n  tasks:\n    - breaks: { given: '{{ api_key }}' }\n      ignore_errors: true\n    - breaks: { given: '{{ api_key }}', later: true }\n    - pause: { seconds: 60 }\n`,
    'modules/breaks.ts': BREAKS,
    'change.yml': `- hosts: lb1\n  tasks:\n    - cloud_present: { name: edge, mtu: 1700, vcenter_configuration: { password: ${quoted(SECRETS.nestedField)} } }\n`,
    'planned.yml': `- hosts: lb1\n  tasks:\n    - cloud_present: { name: planned, vcenter_configuration: { username: root, password: ${quoted(SECRETS.nestedField)} } }\n`,
    'slow.yml': `- hosts: lb1\n  tasks:\n    - cloud_present: { name: slow, vcenter_configuration: { username: root, password: ${quoted(SECRETS.secretArgument)} } }\n    - pause: { minutes: 5 }\n    - debug: { var: api_key }\n`,
  };
}
