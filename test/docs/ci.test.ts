import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { command, exampleProject, ROOT, type Ended, type Project } from '../rig/command.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { blocksOf } from './blocks.js';

interface Step {
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: { readonly path?: string };
}

interface Workflow {
  readonly name: string;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

interface Job {
  readonly script: readonly string[];
  readonly after_script: readonly string[];
  readonly artifacts: { readonly paths: readonly string[]; readonly reports: { readonly junit: string } };
}

const NAMES = ['emea', 'amer'].flatMap((site) => [1, 2].map((at) => `lb0${at}.${site}.stage.example.com`));
const PRODUCTION = [
  ...['emea', 'amer'].flatMap((site) => [1, 2, 3, 4, 5, 6].map((at) => `lb0${at}.${site}.example.com`)),
  ...[1, 2, 3, 4].map((at) => `lb0${at}.apac.example.com`),
];

/** As they are in the page. */
const PAGE = await readFile(path.join(ROOT, 'docs/ci.md'), 'utf8');
const BLOCKS = blocksOf(PAGE);
const YAML = BLOCKS.filter(({ language }) => language === 'yaml').map(({ text }) => parse(text) as unknown);
const BASH = BLOCKS.filter(({ language }) => language === 'bash').map((one) => one.text);
const WORKFLOWS = new Map(YAML.filter(isWorkflow).map((one) => [one.name, one]));

function isWorkflow(value: unknown): value is Workflow {
  return typeof value === 'object' && value !== null && 'jobs' in value;
}

/** What GitHub's command-line tool was asked to do; `gh.open` has the number of an open issue. */
const GH = `#!/bin/sh
echo "$*" >> gh.log
while [ $# -gt 0 ]; do
  [ "$1" = --body-file ] && cat "$2" >> gh.body
  [ "$1" = list ] && [ -f gh.open ] && cat gh.open
  shift
done
true
`;

describe('docs/ci.md', () => {
  let fleet: Fleet;
  let project: Project;
  before(async () => {
    fleet = await startFleet({ controllers: [...NAMES, ...PRODUCTION] });
  });
  after(() => fleet.dispose());
  beforeEach(async () => {
    for (const name of fleet.names) fleet.controller(name).setObjects('/api/cloud/', []);
    project = await exampleProject();
    await connect(project);
    await shim(project);
  });
  afterEach(() => project.remove());

  /** The environments of the example project, with simulated controllers at the addresses. */
  async function connect(to: Project): Promise<void> {
    for (const [environment, names] of [['staging', NAMES] as const, ['production', PRODUCTION] as const])
      for (const name of names) {
        const own = { controller_url: fleet.url(name), controller_ca_file: fleet.caFile };
        const access = { controller_username: fleet.username, controller_password: fleet.password };
        await to.write(`inventory/${environment}/host_vars/${name}.yml`, JSON.stringify({ ...own, ...access }));
      }
  }

  /** The runner has npm and gh, and what `npm ci` has installed. */
  async function shim({ directory }: Project): Promise<void> {
    const shims = { npm: '#!/bin/sh\n', gh: GH };
    for (const [name, text] of Object.entries(shims))
      await writeFile(path.join(directory, '.bin', name), text, { mode: 0o755 });
    await mkdir(path.join(directory, 'node_modules'));
    await symlink('../.bin', path.join(directory, 'node_modules/.bin'));
  }

  const at = (name: string): string => path.join(project.directory, name);
  const text = (name: string): Promise<string> => readFile(at(name), 'utf8');

  function bash(script: string, env: Readonly<Record<string, string>> = {}, where = project): Promise<Ended> {
    const { directory: cwd } = where;
    return command('bash', ['-e', '-c', script], { cwd, env: { ...where.env, GNUPGHOME: gnupg(where), ...env } });
  }

  const gnupg = ({ directory }: Project): string => path.join(directory, '.gnupg');

  /** Runs the steps as the runner does. Returns what they said, and whether one failed. */
  async function runWorkflow(name: string): Promise<{ readonly failed: boolean; readonly said: string }> {
    await mkdir(gnupg(project), { recursive: true, mode: 0o700 });
    const [job] = Object.values(WORKFLOWS.get(name)?.jobs ?? {});
    let [failed, said] = [false, ''];
    for (const { run, if: when = 'success()', env = {}, with: given } of job?.steps ?? []) {
      if (when === 'success()' ? failed : when === 'failure()' ? !failed : when !== 'always()') continue;
      if (run === undefined) {
        if (given?.path !== undefined) expect(existsSync(at(given.path)), given.path).to.equal(true);
        continue;
      }
      const values = Object.entries(env).map(([key, value]) => [key, value.replace(/\$\{\{.*\}\}/, `a-${key}`)]);
      const runner = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: at('summary.md') };
      const ended = await bash(run, { ...runner, ...(Object.fromEntries(values) as Record<string, string>) });
      failed ||= ended.code !== 0;
      said += ended.stdout + ended.stderr;
    }
    return { failed, said };
  }

  async function breakPlaybook(change: (playbook: string) => string): Promise<void> {
    await project.write('playbooks/rollout.yml', change(await text('playbooks/rollout.yml')));
  }

  it('comments a pull request with what it would change', async () => {
    const { failed, said } = await runWorkflow('plan');
    expect(failed, said).to.equal(false);
    expect(await text('gh.log')).to.equal('pr comment a-PR --body-file plan.md --edit-last --create-if-none\n');
    expect(await text('gh.body')).to.include('### ✅ 4 of 4 controllers would change');
    expect(await text('summary.md')).to.equal(await text('gh.body'));
  });

  it('comments a pull request with its mistakes', async () => {
    await breakPlaybook((playbook) => playbook.replace('cloud_present:', 'cloud_presents:'));
    const { failed, said } = await runWorkflow('plan');
    expect(failed).to.equal(true);
    expect(said).to.match(/^::error file=playbooks\/rollout\.yml,line=\d+,col=7::there is no module "cloud_presents"/m);
    expect(await text('gh.body'))
      .to.include('### ❌ nothing ran: 1 error')
      .and.to.include('playbooks/rollout.yml:');
    expect(await text('plan.xml')).to.include('there is no module &quot;cloud_presents&quot;');
  });

  it('keeps the state folder, with which the run is rerun and rolled back in another folder', async () => {
    await breakPlaybook((playbook) =>
      playbook
        .replace(
          '    - name: Cloud exists',
          "    - { name: Break, fail: , when: \"inventory_hostname == 'lb01.emea.example.com' and not lookup('env', 'FIXED')\" }\n    - name: Cloud exists",
        )
        .replace("serial: [1, '50%']", "serial: '50%'"),
    );
    expect((await runWorkflow('rollout')).failed).to.equal(true);
    expect(await text('rollout.xml')).to.include('failures="1"');
    await onAnotherMachine(async (person) => {
      const rerun = await bash(`${continuing('rerun')} --yes`, { FIXED: '1' }, person);
      expect(rerun.code, rerun.stdout + rerun.stderr).to.equal(0);
      const [, failed = ''] = (await bash('ls -r .evenkeel/runs', {}, person)).stdout.split('\n');
      const undone = await bash(`${continuing('rollback').replace('last', failed)} --yes`, {}, person);
      expect(undone.code, undone.stdout + undone.stderr).to.be.oneOf([0, 2]);
      expect(undone.stderr).to.include(`Rollback of ${failed}`);
    });
  });

  it('keeps the state folder, with which a run that a gate stopped is resumed in another folder', async () => {
    await breakPlaybook((playbook) =>
      playbook.replace(
        '  vars:\n',
        "  gate: { checks: [{ assert: { that: \"lookup('env', 'FIXED') == '1'\" } }], interval: 0, passes: 1, failures: 1 }\n  vars:\n",
      ),
    );
    const { failed, said } = await runWorkflow('rollout');
    expect(failed).to.equal(true);
    expect(said).to.include('continue with: evenkeel resume ');
    await onAnotherMachine(async (person) => {
      const resumed = await bash(`${continuing('resume')} --yes`, { FIXED: '1' }, person);
      expect(resumed.code, resumed.stdout + resumed.stderr).to.equal(0);
      expect(resumed.stdout).to.match(/^16 controllers · /m);
      for (const name of PRODUCTION) expect(fleet.controller(name).objects('/api/cloud/'), name).to.have.lengthOf(1);
    });
  });

  /** Restores the state folder where the project of the runner is not, as a person does. */
  async function onAnotherMachine(act: (person: Project) => Promise<void>): Promise<void> {
    const person = await exampleProject();
    try {
      await connect(person);
      await shim(person);
      await cp(at('playbooks'), path.join(person.directory, 'playbooks'), { recursive: true });
      await rename(at('state.tgz.gpg'), path.join(person.directory, 'state.tgz.gpg'));
      await bash('gpgconf --kill gpg-agent');
      await rm(project.directory, { recursive: true });
      await mkdir(gnupg(person), { mode: 0o700 });
      // The person types the password.
      const typed = (BASH[0] ?? '').replace(
        'gpg ',
        'gpg --batch --pinentry-mode loopback --passphrase a-STATE_PASSWORD ',
      );
      const shown = await bash(typed, { RUN: '7' }, person);
      expect(shown.code, shown.stderr).to.equal(0);
      expect(shown.stdout).to.include('lb01.emea.example.com  ok=');
      await act(person);
    } finally {
      await bash('gpgconf --kill gpg-agent', {}, person);
      await person.remove();
    }
  }

  const continuing = (word: string): string =>
    BASH[1]
      ?.split('\n')
      .find((line) => line.includes(word))
      ?.replace(/ *#.*/, '') ?? '';

  it('opens an issue when controllers differ, and comments it while it is open', async () => {
    expect((await runWorkflow('drift')).failed).to.equal(true);
    expect(await text('gh.log')).to.match(
      /^issue list .*\nlabel create drift --force\nissue create --title Controllers differ from the playbooks /,
    );
    expect(await text('gh.body'))
      .to.include('playbooks/rollout.yml')
      .and.to.include('16 controllers');
    await project.write('gh.open', '12\n');
    await rm(at('gh.log'));
    await breakPlaybook((playbook) => playbook.replace('cloud_present:', 'cloud_presents:'));
    expect((await runWorkflow('drift')).failed).to.equal(true);
    expect(await text('gh.log')).to.match(/^issue list .*\nissue comment 12 --body-file drift\.md\n$/);
    expect(await text('gh.body')).to.include('nothing ran: 1 error');
  });

  it('opens no issue when nothing differs', async () => {
    const { code, stderr } = await bash('evenkeel run playbooks/rollout.yml -E production --yes -o quiet');
    expect(code, stderr).to.equal(0);
    expect((await runWorkflow('drift')).failed).to.equal(false);
    expect(existsSync(at('gh.log'))).to.equal(false);
  });

  for (const how of ['succeeds', 'has a mistake'])
    it(`leaves all files of a job of GitLab and of Jenkins that ${how}`, async () => {
      if (how !== 'succeeds') await breakPlaybook((playbook) => playbook.replace('tasks:', 'taskss:'));
      const job = YAML.map((one) => (one as Readonly<Record<string, Job>>)['rollout']).find((one) => one?.script);
      await mkdir(gnupg(project), { mode: 0o700 });
      const ended = await bash((job?.script ?? []).join('\n'));
      expect(ended.code, ended.stderr).to.equal(how === 'succeeds' ? 0 : 1);
      const files = [...(job?.artifacts.paths ?? []), job?.artifacts.reports.junit ?? ''];
      if (how === 'succeeds') await bash((job?.after_script ?? []).join('\n'), { STATE_PASSWORD: 'a-password' });
      for (const file of files.filter((one) => how === 'succeeds' || !one.startsWith('state')))
        expect(existsSync(at(file)), file).to.equal(true);
      await bash('gpgconf --kill gpg-agent; rm report.xml run.log');
      const groovy = BLOCKS.find(({ language }) => language === 'groovy')?.text ?? '';
      for (const [, line = ''] of groovy.matchAll(/sh '(.*)'/g)) await bash(`set +e\n${line}`);
      for (const [, file = ''] of groovy.matchAll(/(?:testResults|artifacts): '([^']*)'/g))
        expect(existsSync(at(file)), file).to.equal(true);
    });
});
