import { existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { readPage } from '../../../src/reporting/page/format/page.js';
import { emptyProject, type Ended, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

const FINE = '- { hosts: all, tasks: [{ debug: }] }\n';
/** A mistake of the load, in two places. */
const WRONG = '- hosts: all\n  tasks:\n    - debugg:\n    - debug:\n      whenn: true\n';
/** A mistake that the preflight finds, with a secret beside it. */
const UNDEFINED =
  '- hosts: all\n  vars: { db_password: hunter22-secret }\n  tasks:\n    - debug: { msg: "{{ nothing }}" }\n';
const KINDS = ['junit', 'markdown', 'html', 'json'] as const;
const REPORTS = KINDS.flatMap((kind) => ['--report', `${kind}=report.${kind}`]);

describe('a run that does not start', () => {
  let fleet: Fleet;
  let project: Project;
  before(async () => {
    fleet = await startFleet({ controllers: 2 });
  });
  after(() => fleet.dispose());
  beforeEach(async () => {
    project = await emptyProject({ 'books/site.yml': FINE, 'inventory.yml': fleet.inventory });
  });
  afterEach(() => project.remove());

  function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return evenkeel(args, { cwd: project.directory, env });
  }

  const place = (name: string): string => path.join(project.directory, name);
  const content = (kind: string): Promise<string> => readFile(place(`report.${kind}`), 'utf8');

  async function expectReports(message: string, at: string | undefined): Promise<void> {
    const junit = await content('junit');
    expect(junit).to.match(/^<\?xml .*\n<testsuites name="evenkeel" tests="\d+" failures="0" errors="[1-9]\d*"/);
    const escaped = message.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
    expect(junit).to.include(`message="${escaped}" type="refused"`);
    expect(junit).to.not.include('file=""');
    expect(junit).to.not.include(project.directory);
    if (at !== undefined) expect(junit).to.include(`file="${at.split(':')[0] ?? ''}" line="${at.split(':')[1] ?? ''}"`);
    const markdown = await content('markdown');
    expect(markdown).to.match(/^<!-- evenkeel -->\n### ❌ nothing ran: \d errors?\n/);
    expect(markdown).to.include(`error: ${message}\n${at === undefined ? '' : `  --> ${at}\n`}`);
    expect(markdown).to.include('no controller was contacted');
    const [line = '', ...others] = (await content('json')).split('\n');
    expect(others).to.deep.equal(['']);
    const event = JSON.parse(line) as { type: string; exitCode: number; diagnostics: { message: string }[] };
    expect(event).to.include({ type: 'run-refused', exitCode: 1 });
    expect(event.diagnostics.map((one) => one.message)).to.include(message);
    const [, data = ''] = /id="data">(.*?)<\/script>/s.exec(await content('html')) ?? [];
    const page = readPage(new Uint8Array(gunzipSync(Buffer.from(data, 'base64'))));
    expect(page.run.status).to.equal('failed');
    expect(page.run.reason).to.match(/^nothing ran: \d errors?; no controller was contacted$/);
    expect(page.warnings.some((one) => one.message.startsWith(message))).to.equal(true);
    for (const kind of KINDS) expect((await stat(place(`report.${kind}`))).mode & 0o777, kind).to.equal(0o600);
  }

  const PLAYBOOK = ['books/site.yml', '-i', 'inventory.yml'];
  const COMMANDS: Readonly<Record<string, readonly string[]>> = {
    run: ['run', ...PLAYBOOK],
    plan: ['plan', ...PLAYBOOK, '--out', 'site.plan'],
    drift: ['drift', ...PLAYBOOK],
  };

  for (const [name, args] of Object.entries(COMMANDS)) {
    it(`writes all reports of ${name}, if files have mistakes`, async () => {
      await project.write('books/site.yml', WRONG);
      expect((await start([...args, ...REPORTS])).code).to.equal(1);
      await expectReports('there is no module "debugg"', 'books/site.yml:3:7');
      expect(await content('junit')).to.include('errors="2"');
    });

    it(`writes all reports of ${name}, if the preflight finds a mistake, without secrets`, async () => {
      await project.write('books/site.yml', UNDEFINED);
      expect((await start([...args, ...REPORTS])).code).to.equal(1);
      await expectReports('variable "nothing" is not defined (on 2 controllers: lb1, lb2)', 'books/site.yml:4:21');
      for (const kind of KINDS) expect(await content(kind), kind).to.not.include('hunter22');
    });
  }

  it('writes all reports, and an annotation, of a mistyped option, value or command', async () => {
    const typed: Readonly<Record<string, readonly string[]>> = {
      "unknown option '--limt'": ['run', ...PLAYBOOK, '--limt', 'lb1', ...REPORTS],
      '--forks "many": it takes a whole number from 1, or auto': ['drift', ...PLAYBOOK, '-f', 'many', ...REPORTS],
      "unknown command 'rnu'": ['rnu', ...PLAYBOOK, ...REPORTS],
      "unknown command 'books/site.yml'": [...PLAYBOOK, ...REPORTS],
    };
    for (const [message, args] of Object.entries(typed)) {
      for (const kind of KINDS) await rm(place(`report.${kind}`), { force: true });
      const { code, stderr } = await start(args, { GITHUB_ACTIONS: 'true' });
      expect(code, stderr).to.equal(1);
      expect(stderr).to.include(`::error::${message}`);
      await expectReports(message, undefined);
    }
    expect((await start(['runs', '--limt', ...REPORTS])).code).to.equal(1);
  });

  it('writes all reports of a task, an apply, a rerun, a resume and a rollback', async () => {
    const commands = [
      ['task', 'lb1', '-i', 'inventory.yml', '-m', 'debugg'],
      ['apply', 'gone.plan'],
      ['run', '--rerun', 'last'],
      ['resume', 'last'],
      ['rollback', 'last'],
    ];
    for (const args of commands) {
      for (const kind of KINDS) await rm(place(`report.${kind}`), { force: true });
      expect((await start([...args, ...REPORTS])).code, args[0]).to.equal(1);
      expect(await content('markdown'), args[0]).to.include('### ❌ nothing ran: 1 error');
      for (const kind of KINDS) expect(existsSync(place(`report.${kind}`)), `${args[0] ?? ''} ${kind}`).to.equal(true);
    }
  });

  it('writes all reports of an apply that the preflight refuses', async () => {
    const named = "- { hosts: all, tasks: [{ cloud_present: { name: \"{{ lookup('env', 'CI_CLOUD') }}\" } }] }\n";
    await project.write('books/site.yml', named);
    process.env['CI_CLOUD'] = 'edge';
    const made = await start(['plan', ...PLAYBOOK, '--out', 'site.plan']);
    delete process.env['CI_CLOUD'];
    expect(made.code, made.stderr).to.equal(0);
    expect((await start(['apply', 'site.plan', ...REPORTS])).code).to.equal(1);
    await expectReports('"name" must be a name, not "" (on 2 controllers: lb1, lb2)', 'books/site.yml:1:50');
    await project.write('books/site.yml', `# later\n${named}`);
    const { code, stderr } = await start(['apply', 'site.plan']);
    expect(code).to.equal(1);
    expect(stderr).to.include(
      '\n  --> books/site.yml:1:50\n    the file has changed since it was read, so its lines are not shown\n',
    );
  });

  it('writes all reports of a rollback that has nothing to do', async () => {
    expect((await start(['run', ...PLAYBOOK])).code).to.equal(0);
    expect((await start(['rollback', 'last', ...REPORTS])).code).to.equal(0);
    expect(await content('markdown')).to.include('### ✅ nothing ran: there was nothing to do\n');
    expect(await content('junit'))
      .to.include('errors="0" skipped="1"')
      .and.to.include('nothing to roll back: run ');
    expect(await content('json')).to.include('"exitCode":0');
    expect(existsSync(place('report.html'))).to.equal(true);
  });

  it('writes all reports if the environment must be confirmed, and if the run cannot be kept', async () => {
    await project.write('evenkeel.yml', 'environments: { production: { inventory: inventory.yml, confirm: true } }\n');
    await project.write('books/site.yml', '- { hosts: all, tasks: [{ cloud_present: { name: edge } }] }\n');
    const run = ['run', 'books/site.yml', '-E', 'production', ...REPORTS];
    expect((await start(run)).code).to.equal(1);
    await expectReports(
      'production needs confirmation, but stdin is not a terminal: pass --yes, or run in a terminal',
      undefined,
    );
    await project.write('state', 'not a folder');
    const { code, stderr } = await start([...run, '--yes'], { EVENKEEL_STATE_DIR: place('state') });
    expect(code).to.equal(1);
    expect(stderr).to.not.include('could not write');
    expect(await content('markdown')).to.include('nothing was contacted');
  });

  it('appends the errors to the log', async () => {
    await project.write('books/site.yml', WRONG);
    await start(['run', ...PLAYBOOK, '--log', 'run.log']);
    const log = await readFile(place('run.log'), 'utf8');
    expect(log).to.match(/^\d{4}-\S+Z error: there is no module "debugg"$/m);
  });

  it('replaces the report of an earlier run, is replaced by one, and spares other files', async () => {
    expect((await start(['run', ...PLAYBOOK, ...REPORTS])).code).to.equal(0);
    await project.write('books/site.yml', WRONG);
    await start(['run', ...PLAYBOOK, ...REPORTS]);
    await expectReports('there is no module "debugg"', 'books/site.yml:3:7');
    await start(['run', ...PLAYBOOK, '--report', 'junit=books/site.yml']);
    expect(await readFile(place('books/site.yml'), 'utf8')).to.equal(WRONG);
    await project.write('books/site.yml', FINE);
    expect((await start(['run', ...PLAYBOOK, ...REPORTS])).code).to.equal(0);
    expect(await content('json')).to.include('run-finished');
  });

  it('annotates files in a job of GitHub Actions, relative to the workspace', async () => {
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: path.dirname(project.directory) };
    const folder = path.basename(project.directory);
    const annotations = async (args: readonly string[]): Promise<readonly string[]> =>
      (await start(args, env)).stderr.split('\n').filter((line) => line.startsWith('::'));
    await project.write('books/site.yml', WRONG);
    for (const args of Object.values(COMMANDS))
      expect(await annotations(args)).to.deep.equal([
        `::error file=${folder}/books/site.yml,line=3,col=7::there is no module "debugg" (did you mean "debug"?)`,
        `::error file=${folder}/books/site.yml,line=5,col=7,title=unknown-key::"whenn" is not a keyword of a task (did you mean "when"?)`,
      ]);
    await project.write('books/site.yml', UNDEFINED);
    expect(await annotations(COMMANDS['run'] ?? [])).to.deep.equal([
      `::error file=${folder}/books/site.yml,line=4,col=21::variable "nothing" is not defined (on 2 controllers: lb1, lb2)`,
    ]);
    expect(await annotations(['apply', 'gone.plan'])).to.have.length(1);
    expect(await annotations(['run', 'books/gone.yml', '-i', 'inventory.yml'])).to.deep.equal([
      '::error::cannot read books/gone.yml: there is no such file',
    ]);
  });

  it('is named by the report of all shards', async () => {
    await start(['run', ...PLAYBOOK, '--shard', '1/2', '--report', 'json=1.json']);
    await project.write('books/site.yml', WRONG);
    await start(['run', ...PLAYBOOK, '--shard', '2/2', '--report', 'json=2.json']);
    const { code, stderr } = await start(['report', '1.json', '2.json', '--out', 'page.html']);
    expect(code).to.equal(1);
    expect(stderr).to.include('error: 2.json: nothing ran: there is no module "debugg"\n\nerror: shard 2/2 is missing');
    expect(existsSync(place('page.html'))).to.equal(true);
    expect((await start(['report', '2.json', '--out', 'other.html'])).stderr).to.include('2.json: nothing ran: ');
  });
});
