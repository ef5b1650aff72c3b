import path from 'node:path';
import { expect } from 'chai';
import { errorMessage } from '../../../src/core/model/source/diagnostic.js';
import type { Objection, RunConfirmation, RunPorts } from '../../../src/launch/load/ports.js';
import { prepareRun } from '../../../src/launch/prepare/prepare_run.js';
import { runRequest, type Command, type RunOptions } from '../../../src/launch/request/run_request.js';
import { obtainPermission, type Permission } from '../../../src/launch/start/permission.js';
import { createPorts } from '../../../src/library/ports.js';
import { encrypt } from '../../../src/project/vault/cipher.js';
import { settingsOf } from '../../rig/controllers.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

const INVENTORY = `all:
  vars: { controller_api_version: 22.1.3, controller_username: admin, controller_password: secret-one }
  hosts:
    lb1: { controller_url: 'https://lb1' }
    lb2: { controller_url: 'https://lb2' }
    lb3: { controller_url: 'https://lb3' }
`;
const PROJECT = `environments:
  free: { inventory: inv.yml }
  asks: { inventory: inv.yml, confirm: true }
  planned: { inventory: inv.yml, require_plan: true }
`;
const WRITES =
  '- hosts: lb1,lb2\n  tasks:\n    - cloud_present: { name: a }\n    - cloud_present: { name: b }\n      delegate_to: lb3\n';
const READS = '- hosts: lb1\n  tasks: [{ debug: { msg: a } }]\n';

/** Saves files of this machine. */
const SAVES = `- hosts: lb1
  tasks:
    - file_download: { path: /api/configuration/export, dest: '{{ inventory_hostname }}.json' }
    - api_request: { path: /api/cloud/ }
`;

/** Each role has its own `own.yml`. */
const ONE_INCLUDE_TWO_FILES = {
  'common.yml': '- include_tasks: own.yml\n',
  'roles/a/tasks/main.yml': '- import_tasks: ../../../common.yml\n',
  'roles/a/tasks/own.yml': '- debug: { msg: a }\n',
  'roles/b/tasks/main.yml': '- import_tasks: ../../../common.yml\n',
  'roles/b/tasks/own.yml': '- { cloud_present: { name: a }, check_mode: false }\n',
};

interface Given extends RunOptions {
  readonly files?: Files;
  readonly command?: Command;
  /** What the user answers to the confirmation. */
  readonly objection?: Objection;
  readonly password?: string;
  readonly confirmed?: boolean;
}

interface Answered {
  readonly status: string;
  /** Why not. */
  readonly message: string | undefined;
  readonly permission: Permission | undefined;
  /** How to run without the controllers that have errors. */
  readonly advice: string | undefined;
  /** What the user is told to do about what was said. */
  readonly hints: readonly string[];
  readonly asked: readonly RunConfirmation[];
  /** The questions for passwords. */
  readonly secrets: readonly string[];
  readonly said: readonly string[];
  /** Whether code of the project may run for ever; undefined: the signals were not taken over. */
  readonly mayBlock: boolean | undefined;
  readonly hides: (text: string) => boolean;
}

function answered<T>(site: string, given: Given, use: (answer: Answered) => T | Promise<T>): Promise<T> {
  const { files = {}, command, objection, password, confirmed, ...options } = given;
  return inFolder({ 'inv.yml': INVENTORY, 'evenkeel.yml': PROJECT, 'site.yml': site, ...files }, async (cwd) => {
    const env = { EVENKEEL_LOCK_DIR: 'off' };
    const own = createPorts({ name: 'runPlaybook', command: 'run' }, { cwd, env }, () => undefined, {});
    const [asked, secrets, said, hints] = [[] as RunConfirmation[], [] as string[], [] as string[], [] as string[]];
    let mayBlock: boolean | undefined;
    const ports: RunPorts = {
      ...own,
      user: {
        ...own.user,
        confirm: (run) => {
          asked.push(run);
          return Promise.resolve(objection);
        },
        askSecret: (question) => {
          secrets.push(question);
          return Promise.resolve(password);
        },
      },
      report: {
        ...own.report,
        warnings: (found) => {
          said.push(...found.map(worded));
          hints.push(...found.flatMap(({ hint }) => hint ?? []));
        },
      },
      signals: {
        ...own.signals,
        takeOver: (may) => {
          mayBlock = may;
        },
      },
    };
    const request = runRequest(command ?? { type: 'run', playbooks: ['site.yml'] }, options);
    const prepared = await prepareRun(request, ports);
    if (prepared.status !== 'ready') return expect.fail(prepared.diagnostics.map(worded).join('\n'));
    const run = { ...prepared.run, ...(confirmed !== undefined && { confirmed }) };
    const answer = await obtainPermission(run, ports);
    const why =
      'message' in answer
        ? answer.message
        : 'diagnostics' in answer
          ? answer.diagnostics.map(worded).join('\n')
          : undefined;
    return use({
      status: answer.status,
      message: why,
      asked,
      secrets,
      said,
      mayBlock,
      permission: answer.status === 'granted' ? answer.permission : undefined,
      advice: 'advice' in answer ? answer.advice : undefined,
      hints,
      hides: (text) => run.loaded.target.secrets.mask(text) !== text,
    });
  });
}

const outcome = (site: string, given: Given): Promise<readonly [string, string | undefined, number]> =>
  answered(site, given, ({ status, message, asked }) => [status, message, asked.length]);

describe('the permission for a run', () => {
  it('is asked for in an environment that confirms, with all that the run may act on', () =>
    answered(WRITES, { env: 'asks' }, ({ status, asked, mayBlock }) => {
      expect([status, mayBlock]).to.deep.equal(['granted', false]);
      expect(asked.map((one) => ({ ...one, controllers: [...one.controllers] }))).to.deep.equal([
        {
          environment: 'asks',
          label: 'site.yml',
          controllers: ['lb1', 'lb2'],
          delegates: { known: ['lb3'], unknown: [] },
        },
      ]);
    }));

  for (const [what, site, given, expected] of [
    ['an environment that does not', WRITES, { env: 'free' }, ['granted', undefined, 0]],
    ['no environment', WRITES, { inventory: ['inv.yml'] }, ['granted', undefined, 0]],
    ['a check', WRITES, { env: 'asks', check: true }, ['granted', undefined, 0]],
    [
      'a check that writes',
      WRITES.replace('name: a }', 'name: a }\n      check_mode: false'),
      { env: 'asks', check: true },
      ['granted', undefined, 1],
    ],
    [
      'a check that writes in one of the files that an imported include names',
      '- hosts: lb1\n  roles: [a, b]\n',
      { env: 'asks', check: true, files: ONE_INCLUDE_TWO_FILES },
      ['granted', undefined, 1],
    ],
    ['a simulation', WRITES, { env: 'asks', simulate: true }, ['granted', undefined, 0]],
    ['--yes', WRITES, { env: 'asks', yes: true }, ['granted', undefined, 0]],
    ['a confirmed run', WRITES, { env: 'asks', confirmed: true }, ['granted', undefined, 0]],
    ['a run that is not confirmed', WRITES, { env: 'asks', confirmed: false }, ['granted', undefined, 1]],
    [
      'a user who objects',
      WRITES,
      { env: 'asks', objection: { status: 'declined', message: 'no' } },
      ['declined', 'no', 1],
    ],
    [
      'an environment that wants a plan',
      WRITES,
      { env: 'planned', yes: true },
      [
        'declined',
        'planned accepts changes only from a plan (require_plan): make one with "evenkeel plan … --out FILE", then "evenkeel apply FILE"',
        0,
      ],
    ],
    ['tasks that only read', READS, { env: 'asks' }, ['granted', undefined, 0]],
    ['tasks that only read where a plan is wanted', SAVES, { env: 'planned' }, ['granted', undefined, 0]],
    [
      'a request that writes there',
      SAVES.replace('path: /api/cloud', 'method: POST, path: /api/cloud'),
      { env: 'asks' },
      ['granted', undefined, 1],
    ],
    [
      "an upload of the vendor's collection",
      '- hosts: lb1\n  tasks: [{ avi_api_fileservice: { upload: true, path: hsmpackages, file_path: site.yml } }]\n',
      { env: 'asks' },
      ['granted', undefined, 1],
    ],
    [
      "a download of the vendor's collection",
      '- hosts: lb1\n  tasks: [{ avi_api_fileservice: { upload: false, path: hsmpackages/a, file_path: a } }]\n',
      { env: 'asks' },
      ['granted', undefined, 0],
    ],
    [
      'a download with what a template says in its other arguments',
      `- hosts: lb1
  vars: { avi: { username: admin } }
  tasks: [{ avi_api_fileservice: { upload: false, path: a, file_path: a, avi_credentials: '{{ avi }}' } }]
`,
      { env: 'asks' },
      ['granted', undefined, 0],
    ],
    [
      'a request whose method a template says, although most are GET',
      `- hosts: lb1\n  vars: { how: GET }\n  tasks: [{ api_request: { path: /api/a, method: '{{ how }}' } }]\n`,
      { env: 'asks' },
      ['granted', undefined, 1],
    ],
    [
      'an upload or a download, as a template says',
      '- hosts: lb1\n  tasks: [{ avi_api_fileservice: { upload: "{{ up }}", path: hsmpackages/a, file_path: a } }]\n',
      { env: 'asks', files: { 'group_vars/all.yml': 'up: false\n' } },
      ['granted', undefined, 1],
    ],
    ['a check there', WRITES, { env: 'planned', check: true }, ['granted', undefined, 0]],
    [
      'a check there whose tasks are chosen during the run',
      '- hosts: lb1\n  tasks: [{ include_tasks: "{{ inventory_hostname }}.yml" }]\n',
      { env: 'planned', check: true, files: { 'lb1.yml': '- debug: { msg: a }\n' } },
      [
        'declined',
        'planned accepts changes only from a plan (require_plan), and what is included at site.yml:2:11 is known only during the run: it might write even in a check',
        0,
      ],
    ],
    [
      'a task that fails for certain',
      '- hosts: lb1\n  tasks: [{ debug: { msg: "{{ missing }}" } }]\n',
      { env: 'asks' },
      ['preflight-failed', 'site.yml:2:27 variable "missing" is not defined (on lb1)', 0],
    ],
  ] as const satisfies readonly (readonly [string, string, Given, readonly unknown[]])[])
    it(`is ${expected[0]}${expected[2] === 1 ? ' after a question' : ''}: ${what}`, async () => {
      const [status, message, questions] = await outcome(site, given);
      expect([status, message?.replace(/ — .*/, ''), questions]).to.deep.equal(expected);
    });

  it('covers no writes of modules that declare none, where they need a question or a plan', async () => {
    const settings = settingsOf('https://lb1', undefined);
    for (const [given, refused] of [
      [{ env: 'asks' }, true],
      [{ env: 'planned' }, true],
      [{ env: 'asks', yes: true }, false],
      [{ env: 'free' }, false],
    ] as const)
      await answered(READS, given, async ({ permission }) => {
        const message = await permission?.lock.beforeWrite(settings).catch((error: unknown) => errorMessage(error));
        expect(message, JSON.stringify(given)).to.equal(
          refused
            ? 'its environment allows writes only after a question or from a plan, and this module declares none: add "writes: true" to the module'
            : undefined,
        );
      });
  });

  it('has the user and the password that were typed', async () => {
    await answered(READS, { inventory: ['inv.yml'], user: 'ann', askPass: true, password: 'typed-pw' }, (answer) => {
      expect(answer.permission?.credentials).to.deep.equal({ username: 'ann', password: 'typed-pw' });
      expect(answer.secrets).to.deep.equal(['Controller password: ']);
      expect(answer.hides('it is typed-pw')).to.equal(true);
    });
    await answered(READS, { inventory: ['inv.yml'], user: 'ann' }, (answer) => {
      expect([answer.permission?.credentials, answer.secrets]).to.deep.equal([{ username: 'ann' }, []]);
    });
    await answered(READS, { inventory: ['inv.yml'] }, (answer) => {
      expect(answer.permission?.credentials).to.deep.equal({});
      expect(answer.permission?.id).to.match(/^\d{8}T\d{6}Z-/);
    });
    await answered(READS, { inventory: ['inv.yml'], askPass: true, password: '' }, (answer) => {
      expect(answer.status).to.equal('declined');
    });
    await answered(READS, { inventory: ['inv.yml'], askPass: true }, (answer) => {
      expect([answer.status, answer.message, answer.mayBlock]).to.deep.equal([
        'declined',
        '-k needs a password from the terminal, and none was entered; nothing was contacted',
        undefined,
      ]);
    });
  });

  it('warns once of each reason for which values cannot be decrypted', async () => {
    const sealed = async (text: string): Promise<string> => {
      const lines = (await encrypt(Buffer.from(text), { label: 'prod', bytes: Buffer.from('pw') }))
        .trimEnd()
        .split('\n');
      return `!vault |\n${lines.map((line) => `    ${line}\n`).join('')}`;
    };
    const files = {
      'group_vars/all.yml': `one: ${await sealed('a')}\ntwo: ${await sealed('b')}\n`,
      'host_vars/lb2.yml': `three: ${await sealed('c')}\n`,
      password: 'other',
    };
    const given = { inventory: ['inv.yml'], vaultId: ['dev@password'], files };
    for (const [hosts, number] of [
      ['lb1', 2],
      ['all', 3],
    ] as const)
      await answered(READS.replace('lb1', hosts), given, ({ status, said }) => {
        expect(status).to.equal('granted');
        expect(said).to.have.lengthOf(1);
        expect(said[0]).to.match(new RegExp(`^warning: .* \\(${number} values in all\\); tasks that use it will fail`));
      });
  });

  it('warns of values beside the playbook, too, with what to do', async () => {
    const lines = (await encrypt(Buffer.from('a'), { label: 'prod', bytes: Buffer.from('pw') })).trimEnd().split('\n');
    const value = `one: !vault |\n${lines.map((line) => `    ${line}\n`).join('')}`;
    const command = { type: 'run', playbooks: ['sub/site.yml'] } as const;
    for (const [file, number] of [
      ['sub/host_vars/lb1.yml', 1],
      ['sub/group_vars/all.yml', 1],
      ['sub/host_vars/lb2.yml', 0],
    ] as const) {
      const files = { 'sub/site.yml': READS, [file]: value, password: 'other' };
      await answered(
        READS,
        { inventory: ['inv.yml'], vaultId: ['dev@password'], files, command },
        ({ said, hints }) => {
          expect(said, file).to.have.lengthOf(number);
          if (number === 1) expect(said[0]).to.not.include('values in all');
          expect(hints, file).to.have.lengthOf(number);
        },
      );
    }
  });

  it('has the addresses of all controllers, and what to leave out if some have errors', async () => {
    await answered(READS.replace('lb1', 'lb1,lb2'), { inventory: ['inv.yml'] }, ({ permission }) => {
      const owners = [...(permission?.owners ?? [])].map(([url, names]) => [url, names.map(({ name }) => name)]);
      expect(owners).to.deep.include.members([
        ['https://lb1', ['lb1']],
        ['https://lb2', ['lb2']],
      ]);
    });
    const site = '- hosts: lb1,lb2\n  tasks: [{ debug: { msg: "{{ zone }}" } }]\n';
    await answered(
      site,
      { inventory: ['inv.yml'], files: { 'host_vars/lb1.yml': 'zone: a\n' } },
      ({ status, advice }) => {
        expect(status).to.equal('preflight-failed');
        expect(advice).to.equal("to run the other controller: --limit '!lb2'");
      },
    );
  });

  it('says that code of the project may run for ever', () => {
    const code = `export default { type: 'action', name: 'own', summary: 's', args: {}, examples: [], check: true, run() {} };\n`;
    return answered(
      READS,
      { inventory: ['inv.yml'], files: { [path.join('modules', 'own.mjs')]: code } },
      ({ mayBlock }) => {
        expect(mayBlock).to.equal(true);
      },
    );
  });
});
