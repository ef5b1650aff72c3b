import type { When } from '../../../../src/simulator/behaviour/fault.js';
import type { Simulator } from '../../../../src/simulator/simulator.js';
import { SECRETS } from './secrets.js';

/** Forms of an error's body. Nobody knows these secrets before: only the names in the text mark them. */
const BODIES: readonly unknown[] = [
  { code: 7, password: SECRETS.errorJson },
  { error: `the agent was called with ${JSON.stringify({ api_key: SECRETS.errorNested })}` },
  `{"error":"no","password":${JSON.stringify(SECRETS.errorCut)},"trace":"it was c`,
  `<h1>Error</h1><table><tr><td>client_secret</td>\n<td><pre>${SECRETS.errorCell}</pre></td></tr></table>`,
  `<html><body>{&quot;token&quot;: &quot;${SECRETS.errorHtml}&quot;}</body></html>`,
  `<fault><passphrase>${SECRETS.errorElement}</passphrase></fault>`,
  `login failed: db_password = ${SECRETS.errorText}`,
  {
    error: `{u'password': u'${SECRETS.errorPython}'}: curl -u admin:${SECRETS.errorCommand}: Invalid password "${SECRETS.errorProse}"`,
  },
  { error: { detail: [{ field: 'avi_password', value: SECRETS.errorField }], ssl_key: SECRETS.errorKey } },
];

const USER = { username: 'admin', password: SECRETS.controllerPassword } as const;

/** URLs of controllers that answer requests with these bodies. */
export interface FailingControllers {
  /** Each request. */
  readonly always: readonly string[];
  /** PUT. */
  readonly onChange: readonly string[];
  /** PUT, except for the first one: a rollback fails. */
  readonly onUndo: readonly string[];
}

export async function failingControllers(simulator: Simulator): Promise<FailingControllers> {
  const start = async (prefix: string, when: When): Promise<readonly string[]> => {
    const started = BODIES.map((body, index) => {
      const faults = [{ type: 'answer' as const, status: index === 0 ? 500 : 400, body, when }];
      return simulator.startController(`${prefix}${index + 1}`, { ...USER, behaviour: { faults } });
    });
    return (await Promise.all(started)).map(({ url }) => url);
  };
  return {
    always: await start('bad', {}),
    onChange: await start('stuck', { method: 'PUT' }),
    onUndo: await start('once', { method: 'PUT', after: 1 }),
  };
}

export function failingFiles({ always, onChange, onUndo }: FailingControllers): Readonly<Record<string, string>> {
  const hosts = (prefix: string, urls: readonly string[]): string =>
    urls.map((url, index) => `${prefix}${index + 1}: { controller_url: "${url}" }`).join(', ');
  const variables = {
    controller_username: USER.username,
    controller_password: USER.password,
    controller_api_version: '22.1.3',
    controller_ca_file: 'ca.pem',
  };
  const task = (mtu: number) => ({ cloud_present: { name: 'edge', mtu } });
  const play = (hosts: string, ...tasks: readonly object[]): string => JSON.stringify([{ hosts, tasks }]);
  const wait = { pause: { seconds: "{{ lookup('env', 'PLANTED_PAUSE') | default(0, true) | int }}" } };
  return {
    'failing.yml': `all:\n  vars: ${JSON.stringify(variables)}\n  children:\n    bad: { hosts: { ${hosts('bad', always)} } }\n    stuck: { hosts: { ${hosts('stuck', onChange)} } }\n    once: { hosts: { ${hosts('once', onUndo)} } }\n`,
    'read.yml': play('bad', task(1700)),
    'create.yml': play('stuck', task(1700)),
    'update.yml': play('stuck', task(1800)),
    'undone.yml': play('once', { cloud_present: { name: 'edge', mtu: '{{ mtu }}' } }),
    'resumed.yml': play('stuck', { debug: { msg: 'before the pause' } }, wait, task(1900)),
  };
}
