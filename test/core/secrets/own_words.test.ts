import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, STARTED, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';
import { Terminal } from '../../rig/terminal.js';

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
