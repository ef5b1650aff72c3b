import { appendFile, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Event } from '../../src/core/model/run/event.js';
import { REPORT_KINDS } from '../../src/reporting/reports/report.js';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { atHome } from '../rig/folder.js';
import { evenkeel } from '../rig/in_process.js';
import { mounted, SMALL } from '../rig/mounted.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const SITE = `- name: Roll out
  hosts: all
  tasks:
    - name: Create the cloud
      cloud_present: { name: edge, mtu: "{{ mtu | default(1500) }}" }
    - name: Check
      assert: { that: inventory_hostname != 'lb2' }
`;

describe('additional outputs', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 2 });
    project = await emptyProject({ 'site.yml': SITE, 'fine.yml': SITE.replace("!= 'lb2'", "!= ''") });
  });
  afterEach(() => Promise.all([fleet.dispose(), project.remove()]));

  function call(...args: readonly string[]): Promise<Ended> {
    return evenkeel(args, { cwd: project.directory });
  }

  function run(...args: readonly string[]): Promise<Ended> {
    return call('run', ...args, '-i', fleet.inventoryFile);
  }

  function text(name: string): Promise<string> {
    return readFile(path.join(project.directory, name), 'utf8');
  }

  it('writes private reports and a private log, and prints the same as without them', async () => {
    const { code, stdout, stderr } = await run(
      'site.yml',
      '--report',
      'junit=report.xml',
      '--report',
      'json=events.json',
      '--report',
      'markdown=report.md',
      '--log',
      'run.log',
      '-o',
      'lines',
    );
    expect({ code, stderr }).to.deep.equal({ code: 2, stderr: '' });
    expect(await text('report.xml')).to.include('tests="4" failures="1"');
    expect(await text('report.md'))
      .to.include('### ❌ 1 of 2 controllers failed')
      .and.to.include('evenkeel run --rerun 2');
    const events = (await text('events.json')).trimEnd().split('\n');
    expect(events.map((line) => (JSON.parse(line) as Event).type)).to.include.members(['run-started', 'run-finished']);
    const log = (await text('run.log')).trimEnd().split('\n');
    for (const line of log) expect(line).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ./);
    const logged = log.map((line) => line.replace(/^\S+ /, ''));
    expect(logged).to.deep.equal(stdout.split('\n').filter((line) => line !== ''));
    for (const name of ['report.xml', 'report.md', 'events.json', 'run.log'])
      expect((await stat(path.join(project.directory, name))).mode & 0o777, name).to.equal(0o600);
    const others = (await readdir(project.directory)).filter((name) => /report|events/.test(name));
    expect(others).to.have.members(['report.xml', 'report.md', 'events.json']);
  });

  it('appends to a log, and replaces a report in its place, with its mode', async () => {
    await mkdir(path.join(project.directory, 'ci'));
    await writeFile(path.join(project.directory, 'ci/report.xml'), '', { mode: 0o644 });
    await symlink('ci/report.xml', path.join(project.directory, 'link.xml'));
    await writeFile(path.join(project.directory, 'run.log'), 'before\n');
    await run('fine.yml', '--report', 'junit=link.xml', '--log', 'run.log');
    expect(await text('ci/report.xml')).to.include('failures="0"');
    expect((await stat(path.join(project.directory, 'ci/report.xml'))).mode & 0o777).to.equal(0o644);
    expect(await text('run.log')).to.match(/^before\n.*Z evenkeel/);
  });

  it('are in the home folder behind ~/, which no shell expands after =', async () => {
    const files = ['--log=~/run.log', '--report=json=~/events.json', '--out=~/a.plan'];
    await atHome(project.directory, () => call('plan', 'fine.yml', '-i', fleet.inventoryFile, ...files));
    for (const name of ['run.log', 'events.json', 'a.plan']) expect(await text(name), name).to.not.equal('');
    expect((await readdir(project.directory)).filter((name) => name.startsWith('~'))).to.deep.equal([]);
  });

  it('contacts nothing if a file cannot be written', async () => {
    await mkdir(path.join(project.directory, 'folder'));
    const files = ['junit=folder', 'json=absent/x.json', 'markdown=a.md', 'json=./a.md'];
    const { code, stdout, stderr } = await run(
      'site.yml',
      ...files.flatMap((file) => ['--report', file]),
      '--log',
      'folder',
    );
    const both = await run('site.yml', '--report', 'markdown=new.txt', '--log', './new.txt');
    expect(both.stderr).to.include('error: cannot write --log ./new.txt: a report names this file');
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.equal(`error: cannot write --report junit=folder: it is a folder

error: cannot write --report json=absent/x.json: its folder does not exist

error: cannot write --report json=./a.md: two reports name this file

error: cannot write --log folder: it is a folder

4 errors
`);
    expect(fleet.controller('lb1').requests).to.deep.equal([]);
  });

  it('contacts nothing if the disk of a file is full', function () {
    return mounted(this, SMALL, async (disk) => {
      await writeFile(path.join(disk, 'ballast'), 'x'.repeat(100_000)).catch(() => undefined);
      const files = [`junit=${disk}/a.xml`, `html=${disk}/a.html`].flatMap((file) => ['--report', file]);
      const { code, stdout, stderr } = await run('site.yml', ...files, '--log', `${disk}/a.log`);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.equal(`error: cannot write --report junit=${disk}/a.xml: no space left on device

error: cannot write --report html=${disk}/a.html: no space left on device

error: cannot write --log ${disk}/a.log: no space left on device

3 errors
`);
      expect(fleet.controller('lb1').requests).to.deep.equal([]);
      expect((await readdir(disk)).filter((name) => name.startsWith('.a'))).to.deep.equal([]);
    });
  });

  it('replaces reports of its kind, and no other file', async () => {
    for (const kind of REPORT_KINDS) {
      const report = ['--report', `${kind}=report.${kind}`];
      expect((await run('fine.yml', ...report)).code, kind).to.equal(0);
      await appendFile(path.join(project.directory, `report.${kind}`), 'of an earlier run');
      expect((await run('fine.yml', ...report)).code, kind).to.equal(0);
      expect(await text(`report.${kind}`)).not.to.include('of an earlier run');
      const { code, stderr } = await run('fine.yml', '--report', `${kind}=site.yml`);
      expect(code).to.equal(1);
      expect(stderr).to.include(
        `site.yml: the file exists and is not an Evenkeel ${kind} report, so it is not replaced`,
      );
    }
    expect(await text('site.yml')).to.equal(SITE);
  });

  it('continues if writing fails later, and exits with 1', async () => {
    const { code, stdout, stderr } = await run('fine.yml', '--report', 'json=/dev/full', '--log', '/dev/full');
    expect(code).to.equal(1);
    expect(stdout).to.include('2 controllers · 2 changed');
    expect(stderr).to.equal(
      'evenkeel: could not write --report json=/dev/full: no space left on device\n' +
        'evenkeel: could not write --log /dev/full: no space left on device\n',
    );
  });

  for (const [what, expected, ...args] of [
    ['a log', 1, 'run', 'fine.yml', '--log', '/dev/full'],
    ['a report', 1, 'run', 'fine.yml', '--report', 'junit=/dev/full'],
    ['a report', 1, 'run', 'fine.yml', '--report', 'junit=/dev/full', '--detailed-exitcode'],
    ['a report', 1, 'drift', 'fine.yml', '--report', 'markdown=/dev/full'],
    ['a report', 2, 'run', 'site.yml', '--report', 'html=/dev/full'],
    ['a log', 2, 'run', 'site.yml', '--log', '/dev/full'],
    ['a report', 1, 'run', 'missing.yml', '--report', 'html=/dev/full'],
  ] as const)
    it(`exits with ${expected} if ${what} is lost: ${args.join(' ')}`, async () => {
      const { code, stderr } = await call(...args, '-i', fleet.inventoryFile);
      expect(code, stderr).to.equal(expected);
      expect(stderr).to.match(
        /^evenkeel: could not write --(?:report \w+=|log )\/dev\/full: no space left on device$/m,
      );
    });

  it('are known to task, plan, apply, rollback and rerun', async () => {
    const report = (name: string): readonly string[] => ['--report', `junit=${name}`];
    await call('task', 'lb1', '-m', 'debug', '-a', 'msg=hello', '-i', fleet.inventoryFile, ...report('task.xml'));
    expect(await text('task.xml')).to.include('name="lb1: debug"');
    await run('fine.yml');
    await call(
      'plan',
      'fine.yml',
      '-i',
      fleet.inventoryFile,
      '-e',
      'mtu=9000',
      '--out',
      'a.plan',
      ...report('plan.xml'),
    );
    expect(await text('plan.xml'))
      .to.include('tests="4" failures="0"')
      .and.to.include('name="check" value="true"');
    await call('apply', 'a.plan', ...report('apply.xml'));
    expect(await text('apply.xml')).to.include('tests="4" failures="0"');
    await call('rollback', 'last', '--yes', ...report('rollback.xml'));
    expect(await text('rollback.xml')).to.include('tests="2" failures="0"');
    await run('site.yml');
    await call('run', '--rerun', 'last', ...report('rerun.xml'), '--log', 'rerun.log');
    expect(await text('rerun.xml')).to.include('tests="2" failures="1"');
    expect(await text('rerun.log')).to.include('failed       lb2  Check');
  });

  it('of drift report differences as failures', async () => {
    await run('fine.yml');
    const drift = ['drift', 'fine.yml', '-i', fleet.inventoryFile, '-e', 'mtu=9000', '--tags', 'all'];
    const { code } = await call(...drift, '--report', 'junit=drift.xml', '--report', 'markdown=drift.md');
    expect(code).to.equal(3);
    expect(await text('drift.xml'))
      .to.include('failures="2"')
      .and.to.include('- mtu: 1500\n+ mtu: 9000</failure>');
    expect(await text('drift.md')).to.include('### ⚠️ 2 of 2 controllers differ\n');
  });

  it('shows where the time went, on stderr if stdout is JSON', async () => {
    const profile =
      /profile\n {2}before .+\n {2}run .+ for templates\n {2}tasks .+ on 2 controllers together: \d+ % waiting for \d+ answers, .+\n {4}.+ Create the cloud .+\n/;
    const { stdout } = await run('fine.yml', '--profile');
    expect(stdout).to.match(new RegExp(`\\n\\n${profile.source}[^]+controllers that took longest[^]+\\n\\nrecap\\n`));
    const json = await run('fine.yml', '--profile', '-o', 'json');
    expect(json.stdout).not.to.include('profile');
    expect(json.stderr).to.match(profile);
  });
});
