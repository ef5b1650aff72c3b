import { existsSync } from 'node:fs';
import { cp, readFile, rename, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { exampleProject, ROOT, type Project } from '../rig/command.js';
import { PlainServer } from '../rig/plain_server.js';
import { haveAll } from '../rig/programs.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { blocksOf } from './blocks.js';
import {
  bash,
  equipRunner,
  GitLabRegistry,
  isGitLabPipeline,
  isWorkflow,
  removeRunner,
  runWorkflow,
  type Workflow,
  type WorkflowEnd,
  withoutPlan,
} from './pipelines.js';

const NAMES = ['emea', 'amer'].flatMap((site) => [1, 2].map((at) => `lb0${at}.${site}.stage.example.com`));
const PRODUCTION = [
  ...['emea', 'amer'].flatMap((site) => [1, 2, 3, 4, 5, 6].map((at) => `lb0${at}.${site}.example.com`)),
  ...[1, 2, 3, 4].map((at) => `lb0${at}.apac.example.com`),
];

/** As they are in the page. */
const PAGE = await readFile(path.join(ROOT, 'docs/ci.md'), 'utf8');
const ARTIFACT = '.artifacts/evenkeel-production';
const BLOCKS = blocksOf(PAGE);
const YAML = BLOCKS.filter(({ language }) => language === 'yaml').map(({ text }) => parse(text) as unknown);
const BASH = BLOCKS.filter(({ language }) => language === 'bash').map((one) => one.text);
const WORKFLOWS = new Map(YAML.filter(isWorkflow).map((one) => [one.name, one]));
const [GITLAB] = YAML.filter(isGitLabPipeline);

describe('docs/ci.md', function () {
  let fleet: Fleet;
  let project: Project;
  before(async function () {
    if (!haveAll('the pipelines of docs/ci.md', 'gpg', 'jq', 'curl')) this.skip();
    fleet = await startFleet({ controllers: [...NAMES, ...PRODUCTION] });
  });
  after(() => fleet.dispose());
  beforeEach(async () => {
    for (const name of fleet.names) {
      fleet.controller(name).setObjects('/api/cloud/', []);
      fleet.controller(name).behaviour = {};
    }
    project = await exampleProject();
    await connect(project);
    await equipRunner(project);
  });
  afterEach(() => removeRunner(project));

  /** The environments of the example project, with simulated controllers at the addresses. */
  async function connect(to: Project): Promise<void> {
    for (const [environment, names] of [['staging', NAMES] as const, ['production', PRODUCTION] as const])
      for (const name of names) {
        const own = { controller_url: fleet.url(name), controller_ca_file: fleet.caFile };
        const access = { controller_username: fleet.username, controller_password: fleet.password };
        await to.write(`inventory/${environment}/host_vars/${name}.yml`, JSON.stringify({ ...own, ...access }));
      }
  }

  const at = (name: string): string => path.join(project.directory, name);
  const text = (name: string): Promise<string> => readFile(at(name), 'utf8');
  const clouds = (): readonly number[] =>
    PRODUCTION.map((name) => fleet.controller(name).objects('/api/cloud/').length);

  function workflow(name: string): Workflow {
    const found = WORKFLOWS.get(name);
    if (found === undefined) throw new Error(`there is no workflow ${name}`);
    return found;
  }

  const start = (name: string): Promise<WorkflowEnd> => runWorkflow(workflow(name), project);

  async function changePlaybook(change: (playbook: string) => string): Promise<void> {
    await project.write('playbooks/rollout.yml', change(await text('playbooks/rollout.yml')));
  }

  it('comments a pull request with what it would change', async () => {
    const { failed, said } = await start('plan');
    expect(failed, said).to.equal(false);
    expect(await text('gh.log')).to.equal('pr comment a-PR --body-file plan.md --edit-last --create-if-none\n');
    expect(await text('gh.body')).to.include('### ✅ 4 of 4 controllers would change');
    expect(await text('summary.md')).to.equal(await text('gh.body'));
  });

  it('comments a pull request with its mistakes', async () => {
    await changePlaybook((playbook) => playbook.replace('cloud_present:', 'cloud_presents:'));
    const { failed, said } = await start('plan');
    expect(failed).to.equal(true);
    expect(said).to.match(/^::error file=playbooks\/rollout\.yml,line=\d+,col=7::there is no module "cloud_presents"/m);
    expect(await text('gh.body'))
      .to.include('### ❌ nothing ran: 1 error')
      .and.to.include('playbooks/rollout.yml:');
    expect(await text('plan.xml')).to.include('there is no module &quot;cloud_presents&quot;');
  });

  it('plans in one job and applies in another, where only plans may write', async () => {
    await project.write(
      'evenkeel.yml',
      (await text('evenkeel.yml')).replace('confirm: true', 'confirm: true\n    require_plan: true'),
    );
    const { failed, said } = await start('rollout');
    expect(failed, said).to.equal(false);
    expect(await text('summary.md')).to.include('### ✅ 16 of 16 controllers would change');
    expect(clouds()).to.deep.equal(PRODUCTION.map(() => 1));
  });

  it('knows in later jobs which run wrote an object, and which secrets', async () => {
    const secret = 'vcenter_configuration: { password: "{{ secret }}" }';
    await changePlaybook((playbook) =>
      playbook.replace('  vars:\n', '  vars:\n    secret: one\n').replace(/^( +)mtu: .*$/m, `$&\n$1${secret}`),
    );
    for (const name of PRODUCTION) fleet.controller(name).behaviour = { sensitive: true };
    const rollout = withoutPlan(workflow('rollout'));
    expect(await runWorkflow(rollout, project)).to.include({ failed: false });
    await changePlaybook((playbook) => playbook.replace('secret: one', 'secret: two'));
    const { said } = await start('drift');
    expect(said).to.include('the playbook or its variables have changed').and.not.to.include('never applied');
    expect(await runWorkflow(rollout, project)).to.include({ failed: false });
    const [cloud] = fleet.controller(PRODUCTION[0] ?? '').objects('/api/cloud/');
    expect(cloud?.['vcenter_configuration']).to.include({ password: 'two' });
  });

  it('keeps the state folder, with which the run is rerun and rolled back in another folder', async () => {
    await changePlaybook((playbook) => playbook.replace("serial: [1, '50%']", "serial: '50%'"));
    const [first = ''] = PRODUCTION;
    const refusing = { type: 'answer', status: 400, when: { method: 'POST' } } as const;
    fleet.controller(first).behaviour = { faults: [refusing] };
    expect((await runWorkflow(withoutPlan(workflow('rollout')), project)).failed).to.equal(true);
    expect(await text('rollout.xml')).to.include('failures="1"');
    fleet.controller(first).behaviour = {};
    const person = await exampleProject();
    try {
      await moveTo(person);
      const rerun = await bash(person, `${continuing('rerun')} --yes`);
      expect(rerun.code, rerun.stdout + rerun.stderr).to.equal(0);
      const [, failed = ''] = (await bash(person, 'ls -r .evenkeel/runs')).stdout.split('\n');
      const undone = await bash(person, `${continuing('rollback').replace('last', failed)} --yes`);
      expect(undone.code, undone.stdout + undone.stderr).to.be.oneOf([0, 2]);
      expect(undone.stderr).to.include(`Rollback of ${failed}`);
    } finally {
      await removeRunner(person);
    }
  });

  it('keeps the state folder, with which an apply that a gate stopped is resumed in a folder of the same name', async () => {
    await changePlaybook((playbook) =>
      playbook.replace(
        '  vars:\n',
        "  gate: { checks: [{ assert: { that: \"lookup('env', 'FIXED') == '1'\" } }], interval: 0, passes: 1, failures: 1 }\n  vars:\n",
      ),
    );
    const { failed, said } = await start('rollout');
    expect(failed).to.equal(true);
    expect(said).to.include('continue with: evenkeel resume ');
    const person = await exampleProject();
    await moveTo(person);
    await rename(person.directory, project.directory);
    const resumed = await bash(project, `${continuing('resume')} --yes`, { FIXED: '1' });
    expect(resumed.code, resumed.stdout + resumed.stderr).to.equal(0);
    expect(resumed.stdout).to.match(/^16 controllers · /m);
    expect(clouds()).to.deep.equal(PRODUCTION.map(() => 1));
  });

  /** Restores the state folder in another checkout, as a person does. The runner is gone. */
  async function moveTo(person: Project): Promise<void> {
    await connect(person);
    await equipRunner(person);
    await cp(at('playbooks'), path.join(person.directory, 'playbooks'), { recursive: true });
    await rename(at('.artifacts'), path.join(person.directory, '.artifacts'));
    await removeRunner(project);
    const typed = `exec <<< a-STATE_PASSWORD\n${BASH[0]}`;
    const shown = await bash(person, typed);
    expect(shown.code, shown.stderr).to.equal(0);
    expect(shown.stdout).to.include('lb01.emea.example.com  ');
  }

  /** Puts another file into the newest artifact, as anyone can who may push. */
  async function forge(script: string): Promise<void> {
    const { code, stderr } = await bash(project, `${script}\nmv forged ${ARTIFACT}/state.tgz.gpg`);
    expect(code, stderr).to.equal(0);
  }

  it('restores no state that somebody without the password has made', async () => {
    const rollout = withoutPlan(workflow('rollout'));
    expect(await runWorkflow(rollout, project)).to.include({ failed: false });
    const mine = 'mkdir -p mine/.evenkeel && echo mine > mine/.evenkeel/key && tar -czC mine -f mine.tgz .evenkeel';
    await cp(at(`${ARTIFACT}/state.tgz.gpg`), at('genuine'));
    const forgeries = [
      'gpg --batch --output forged --store mine.tgz',
      'gpg --batch --output forged --pinentry-mode loopback --passphrase mine --symmetric mine.tgz',
      'gpg --batch --output plain --store mine.tgz && cat genuine plain > forged',
      'gpg --batch --output plain --store mine.tgz && cat plain genuine > forged',
    ];
    for (const forgery of forgeries) {
      await forge(`rm -rf mine* plain forged\n${mine}\n${forgery}`);
      const { failed, said } = await runWorkflow(rollout, project);
      expect(failed, forgery).to.equal(true);
      expect(said).to.include('the state evenkeel-production is not encrypted with STATE_PASSWORD\n');
      expect(existsSync(at('.evenkeel')), forgery).to.equal(false);
      // The refused file must not become the state of this branch.
      expect(said).to.include('No files were found with the path: state.tgz.gpg');
    }
  });

  it('takes nothing but the state from an artifact and from its archive', async () => {
    const rollout = withoutPlan(workflow('rollout'));
    expect(await runWorkflow(rollout, project)).to.include({ failed: false });
    const encrypt = 'gpg --batch --pinentry-mode loopback --passphrase a-STATE_PASSWORD --output forged --symmetric';
    await forge(
      `touch more && tar -czf more.tgz .evenkeel more && rm more && ${encrypt} more.tgz && touch ${ARTIFACT}/other`,
    );
    const { failed, said } = await runWorkflow(rollout, project);
    expect(failed, said).to.equal(false);
    expect((await bash(project, 'ls .evenkeel/runs')).stdout.match(/\n/g)).to.have.length(2);
    for (const name of ['more', 'other']) expect(existsSync(at(name)), name).to.equal(false);
  });

  it('does not start with an empty state because the kept one has expired', async () => {
    const rollout = withoutPlan(workflow('rollout'));
    expect(await runWorkflow(rollout, project)).to.include({ failed: false });
    await project.write('gh.artifacts', (await text('gh.artifacts')).replaceAll('"expired":false', '"expired":true'));
    const { failed, said } = await runWorkflow(rollout, project);
    expect(failed).to.equal(true);
    expect(said)
      .to.include('the state evenkeel-production has expired on GitHub')
      .and.to.include('the state evenkeel-production was not restored, and is not saved');
  });

  it('says that there is nothing to save, and which words there are', async () => {
    const nothing = await bash(project, 'touch state.restored && ci/state.sh save one');
    expect(nothing).to.include({ code: 0, stdout: 'there is no state one to save\n' });
    expect(await bash(project, 'ci/state.sh svae one')).to.include({
      code: 1,
      stderr: 'use: ci/state.sh restore NAME, or ci/state.sh save NAME\n',
    });
  });

  it('sends the token of a job to GitLab only', async () => {
    const [gitlab, storage] = [await GitLabRegistry.start(), await PlainServer.start()];
    const seen: IncomingHttpHeaders[] = [];
    try {
      expect((await gitlab.run(pipeline(), 'plan', project)).code).to.equal(0);
      storage.answer = ({ headers, url = '' }, response) => {
        seen.push(headers);
        response.end(gitlab.files.get(url));
      };
      gitlab.storage = storage.url;
      const { code, stdout, stderr } = await gitlab.run(pipeline(), 'apply', project);
      expect(code, stdout + stderr).to.equal(0);
      expect(seen).to.have.length(1);
      expect(Object.keys(seen[0] ?? {})).to.have.members(['host', 'user-agent', 'accept']);
    } finally {
      gitlab.close();
      storage.close();
    }
  });

  it('fails a job of GitLab that cannot save its state, and plans for the default branch only', async () => {
    const gitlab = await GitLabRegistry.start();
    try {
      gitlab.isReadOnly = true;
      const { code, stderr } = await gitlab.run(pipeline(), 'plan', project);
      expect(code).to.equal(22);
      expect(stderr).to.match(/^curl: .* 403/m);
    } finally {
      gitlab.close();
    }
    const onDefault = { if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' };
    expect(pipeline()['.production'].rules).to.deep.equal([onDefault]);
    expect(pipeline().apply.rules).to.deep.equal([{ ...onDefault, when: 'manual' }]);
  });

  const continuing = (word: string): string =>
    BASH[1]
      ?.split('\n')
      .find((line) => line.includes(word))
      ?.replace(/ *#.*/, '') ?? '';

  it('opens an issue when controllers differ, and comments it while it is open', async () => {
    expect((await start('drift')).failed).to.equal(true);
    expect(await text('gh.log')).to.match(
      /^issue list .*\nlabel create drift --force\nissue create --title Controllers differ from the playbooks /,
    );
    expect(await text('gh.body'))
      .to.include('playbooks/rollout.yml')
      .and.to.include('16 controllers');
    await project.write('gh.open', '12\n');
    await rm(at('gh.log'));
    await changePlaybook((playbook) => playbook.replace('cloud_present:', 'cloud_presents:'));
    expect((await start('drift')).failed).to.equal(true);
    expect(await text('gh.log')).to.match(/^issue list .*\nissue comment 12 --body-file drift\.md\n$/);
    expect(await text('gh.body')).to.include('nothing ran: 1 error');
  });

  it('opens no issue when nothing differs', async () => {
    const { code, stderr } = await bash(project, 'evenkeel run playbooks/rollout.yml -E production --yes -o quiet');
    expect(code, stderr).to.equal(0);
    expect((await start('drift')).failed).to.equal(false);
    expect(existsSync(at('gh.log'))).to.equal(false);
  });

  it('plans in one job of GitLab and applies in another, each time with the state before', async () => {
    const gitlab = await GitLabRegistry.start();
    try {
      for (const [earlier, job] of (['plan', 'apply', 'plan'] as const).entries()) {
        const { code, stdout, stderr } = await gitlab.run(pipeline(), job, project);
        expect(code, `${job}: ${stdout}${stderr}`).to.equal(0);
        for (const file of [...pipeline()[job].artifacts.paths, pipeline()[job].artifacts.reports.junit])
          expect(existsSync(at(file)), file).to.equal(true);
        expect((await bash(project, 'ls .evenkeel/runs')).stdout.match(/\n/g)).to.have.length(earlier + 1);
      }
      expect(clouds()).to.deep.equal(PRODUCTION.map(() => 1));
    } finally {
      gitlab.close();
    }
  });

  it('never replaces the state by an empty one, because it could not be restored', async () => {
    const gitlab = await GitLabRegistry.start();
    try {
      await gitlab.run(pipeline(), 'plan', project);
      const kept = new Map(gitlab.files);
      expect(kept.size).to.equal(1);
      gitlab.broken = 500;
      const { code, stderr } = await gitlab.run(pipeline(), 'apply', project);
      expect([code, clouds()]).to.deep.equal([1, PRODUCTION.map(() => 0)]);
      expect(stderr).to.match(/^GitLab answers 500 to http/m);
      gitlab.broken = undefined;
      const save = 'CI_API_V4_URL=- STATE_PASSWORD=- ci/state.sh save evenkeel-production';
      const saved = await bash(project, save);
      expect(saved).to.include({
        code: 1,
        stderr: 'the state evenkeel-production was not restored, and is not saved\n',
      });
      for (const [name, file] of gitlab.files) expect(kept.get(name)?.equals(file), name).to.equal(true);
    } finally {
      gitlab.close();
    }
  });

  function pipeline() {
    if (GITLAB === undefined) throw new Error('there is no pipeline of GitLab');
    return GITLAB;
  }

  for (const how of ['succeeds', 'has a mistake'])
    it(`leaves all files of a job of Jenkins that ${how}`, async () => {
      if (how !== 'succeeds') await changePlaybook((playbook) => playbook.replace('tasks:', 'taskss:'));
      const groovy = BLOCKS.find(({ language }) => language === 'groovy')?.text ?? '';
      for (const [, line = ''] of groovy.matchAll(/sh '(.*)'/g)) await bash(project, `set +e\n${line}`);
      for (const [, file = ''] of groovy.matchAll(/(?:testResults|artifacts): '([^']*)'/g))
        expect(existsSync(at(file)), file).to.equal(true);
    });

  it('names the password variables that the inventories read', async () => {
    for (const [, name = ''] of PAGE.matchAll(/([A-Z]+)_CONTROLLER_PASSWORD/g))
      expect(await text(`inventory/${name.toLowerCase()}/group_vars/all.yml`)).to.include(
        `${name}_CONTROLLER_PASSWORD`,
      );
  });

  it('starts the command so that the signals of a canceled job reach it', () => {
    const steps = [...WORKFLOWS.values()].flatMap(({ jobs }) => Object.values(jobs).flatMap((job) => job.steps));
    const started = steps.flatMap(({ run = '' }) => (run.includes('bin/evenkeel') ? [run] : []));
    expect(started).to.have.length(4);
    for (const run of started) expect(run).to.match(/^exec node_modules/);
  });
});
