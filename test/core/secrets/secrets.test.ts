import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { isOwnWord, Secrets } from '../../../src/core/secrets/secrets.js';
import { emptyProject, STARTED, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';
import { Terminal } from '../../rig/terminal.js';

function knowing(...values: readonly string[]): Secrets {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value);
  return secrets;
}

describe('Secrets', () => {
  it('masks a secret at any position', () => {
    expect(knowing('hunter22').mask('hunter22, "hunter22" and xhunter22x')).to.equal(
      '********, "********" and x********x',
    );
  });

  it('masks each line of a private key, but those of the public key in it', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const shown = publicKey.export({ format: 'der', type: 'spki' });
    const lines = pem.split('\n').slice(1, -2);
    const isPublic = (line: string): boolean => shown.includes(Buffer.from(line, 'base64'));
    const secrets = knowing(pem);
    expect(lines.filter(isPublic).length).to.be.at.least(4);
    for (const line of lines) expect(secrets.mask(line)).to.equal(isPublic(line) ? line : '********');
    expect(secrets.mask(`a ${pem.trim()} b`)).to.equal('a ******** b');
  });

  it('masks every encoding of a secret', () => {
    const secret = 'p"ä ss/w?rd';
    const forms = [
      JSON.stringify(secret),
      JSON.stringify(JSON.stringify(secret)),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
      new URLSearchParams({ q: secret }).toString().replace('%22', '%22'),
    ];
    for (const form of forms) expect(knowing(secret).mask(`<${form}>`), form).to.include('********');
  });

  it('masks the value of the Basic header', () => {
    const secrets = new Secrets();
    secrets.addCredentials('admin', 'hunter22');
    const header = `Basic ${Buffer.from('admin:hunter22').toString('base64')}`;
    expect(secrets.mask(header)).to.equal('Basic ********');
  });

  it('uses the longest of several secrets that begin at one position', () => {
    expect(knowing('hunter', 'hunter22', 'hunt').mask('hunter22 hunter1 hunt')).to.equal('******** ********1 ********');
  });

  it('ignores values of three characters', () => {
    expect(knowing('abc').mask('abcabc')).to.equal('abcabc');
  });

  it('masks a secret whatever surrounds it', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ minLength: 4, maxLength: 12 }).filter((text) => !isOwnWord(text)),
          { minLength: 1 },
        ),
        fc.string(),
        (values, around) => {
          const secrets = knowing(...values);
          const masked = secrets.mask(values.map((value) => around + value).join('\n'));
          // What is left of a text between masks may form a secret by chance only together with the mask's own stars.
          for (const value of values)
            expect(masked.split('********').some((part) => part.includes(value))).to.equal(false);
        },
      ),
    );
  });
});

const OWN = ['changed', 'failed', 'task', 'debug', 'name', 'error', 'status', 'message', 'admin', 'controller', 'type'];

const SITE = `- hosts: lb1
  gather_facts: false
  tasks:
    - debug: { msg: '{{ first_password }}' }
    - debug: { var: all_passwords }
    - name: Set a fact
      set_fact: { seen: '{{ [third_password, {"name": fourth_password}] }}', word: '{{ sixth_password }}' }
    - debug: { msg: '{{ item }}' }
      loop: '{{ all_passwords }}'
    - debug: { msg: 'the task has changed the name of the controller' }
      changed_when: true
      notify: Tell
    - cloud_present: { name: edge, mtu: 1700 }
      register: cloud
    - debug: { var: cloud.changed }
    - assert: { that: ['cloud is failed'] }
      ignore_errors: true
    - fail: { msg: 'it failed with an error' }
  handlers:
    - { name: Tell, debug: { msg: 'handled' } }
`;
const WRONG = `- hosts: lb1
  tasks:
    - debug: { msgs: x }
    - pause: { seconds: '{{ 1 | nothing_like_that }}' }
`;
const INVENTORY = `all: { hosts: { lb1: { controller_url: 'https://127.0.0.1:9', controller_api_version: 22.1.3, controller_username: x, controller_password: not-ours-at-all } } }`;
const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
];

/** A project whose secrets are these. */
async function projectWith(secrets: readonly string[]): Promise<Project> {
  const variables = Object.fromEntries(
    ORDINALS.map((ordinal, index) => [`${ordinal}_password`, secrets[index] ?? null]),
  );
  const project = await emptyProject({ 'site.yml': SITE, 'wrong.yml': WRONG, 'inv.yml': INVENTORY });
  const file = path.join(project.directory, 'vars.json');
  await writeFile(file, JSON.stringify({ ...variables, all_passwords: secrets }, null, 2));
  return project;
}

const RUN = ['run', 'site.yml', '-i', 'inv.yml', '-e', '@vars.json', '--simulate', '-D'];

/** What differs between two equal runs. */
function withoutTimes(text: string, { directory }: Project): string {
  return text
    .replaceAll(directory, '/project')
    .replaceAll(/"seconds": ?[\d.e-]+/g, '"seconds":0')
    .replaceAll(/\b\d+(?:\.\d+)? ?(?:ms|s)\b/g, '0s')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?Z?)?/g, 'TIME')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'ADDRESS')
    .replaceAll(/cloud-[\da-f-]{36}|\b\d{16}\b/g, 'ID')
    .replaceAll(/\b\d{8}T\d{6}Z-[\da-f]+/g, 'RUN');
}

describe("secrets that are words of Evenkeel's output", () => {
  let ours: Project;
  let others: Project;
  // What a run leaves is seen by the next one.
  beforeEach(async () => {
    ours = await projectWith(OWN);
    // As long as ours, or columns differ.
    others = await projectWith(
      OWN.map(({ length }, index) =>
        'zxq'
          .repeat(5)
          .slice(index % 3)
          .slice(0, length),
      ),
    );
  });
  afterEach(async () => {
    await ours.remove();
    await others.remove();
  });

  async function printedBy(project: Project, args: readonly string[], env = {}): Promise<string> {
    const { stdout, stderr } = await evenkeel(args, { cwd: project.directory, env });
    return withoutTimes(stdout + stderr, project);
  }

  const calls: readonly (readonly [string, readonly string[], Record<string, string>?])[] = [
    ['lines', [...RUN, '-v', '-o', 'lines']],
    ['quiet', [...RUN, '-v', '-o', 'quiet']],
    ['json', [...RUN, '-vvvv', '-o', 'json']],
    ['github', [...RUN], { GITHUB_ACTIONS: 'true' }],
    ['lint', ['lint', 'wrong.yml', '-i', 'inv.yml', '-e', '@vars.json']],
    ['lint --json', ['lint', 'wrong.yml', '-i', 'inv.yml', '-e', '@vars.json', '--json']],
    ['diagnostics', ['run', 'wrong.yml', '-i', 'inv.yml', '-e', '@vars.json']],
    ['listings', [...RUN, '--list-tasks', '--list-tags', '--list-hosts']],
    ['runs', ['runs', 'last']],
    ['runs --json', ['runs', 'last', '--json']],
  ];
  for (const [name, args, env] of calls) {
    it(`leave ${name} as with any other secret`, async () => {
      if (args[0] === 'runs') for (const project of [ours, others]) await printedBy(project, [...RUN, '-o', 'quiet']);
      const [shown, expected] = [await printedBy(ours, args, env), await printedBy(others, args, env)];
      expect(shown).to.equal(expected);
      expect(shown).not.to.match(/zxq|xqz|qzx/);
    });
  }

  it('leave the live view as with any other secret', async () => {
    const [shown, expected] = [await livePrintedBy(ours), await livePrintedBy(others)];
    expect(shown).to.equal(expected);
    expect(shown).to.include('the task has changed the name of the controller');
  });

  it('are masked as data, and events keep their fields', async () => {
    const { stdout } = await evenkeel([...RUN, '-o', 'json'], { cwd: ours.directory });
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const finished = events.filter(({ type }) => type === 'task-finished');
    expect(finished[0]).to.include({ task: 'debug', module: 'debug', status: 'ok', message: '********' });
    expect(finished[1]?.['values']).to.deep.equal({ all_passwords: OWN.map(() => '********') });
    expect(finished.at(-1)).to.include({ status: 'failed', message: 'it failed with an error' });
  });
});

async function livePrintedBy(project: Project): Promise<string> {
  const args = [...RUN, '-o', 'live'];
  const set = [`HOME=${project.directory}`, `EVENKEEL_LOCK_DIR=${project.directory}/claims`, 'NO_COLOR=1'];
  const terminal = new Terminal('env', [...set, process.execPath, ...STARTED, ...args], {
    columns: 200,
    rows: 60,
    cwd: project.directory,
  });
  try {
    await terminal.exited;
    return withoutTimes(terminal.screen.text, project);
  } finally {
    await terminal.close();
  }
}
