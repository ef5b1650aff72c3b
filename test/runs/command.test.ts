import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Event } from '../../src/core/model/run/event.js';
import { emptyStats } from '../../src/core/model/run/result.js';
import type { ListedRun } from '../../src/launch/history/listed_run.js';
import { runDetail } from '../../src/launch/history/run_detail.js';
import { ownIdentity } from '../../src/record/locks/process_identity.js';
import { runReport } from '../../src/report/write_report.js';
import { readPage } from '../../src/reporting/page/format/page.js';
import { detailText } from '../../src/runs/detail.js';
import { runListText } from '../../src/runs/list.js';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { masked } from '../rig/events.js';
import { evenkeel } from '../rig/in_process.js';
import { anIntent, aPlay, beginRun } from '../rig/kept.js';
import { startFleet } from '../rig/simulated.js';

const INVENTORY = `all:
  vars: { controller_url: 'https://{{inventory_hostname}}', controller_api_version: 22.1.3 }
  hosts: { lb1: {}, lb2: {} }
`;
const PLAYBOOK = '- hosts: all\n  name: Site\n  tasks: [{ name: Say, debug: { msg: hello } }]\n';
const WRITING = '- hosts: all\n  name: Site\n  tasks: [{ name: Cloud exists, cloud_present: { name: edge } }]\n';
const GATED =
  '- hosts: all\n  name: Site\n  serial: 1\n  gate: { checks: [{ assert: { that: false } }] }\n  tasks: [{ debug: { msg: hello } }]\n';
const FAILING = '- hosts: all\n  name: Site\n  tasks: [{ name: Stop, fail: { msg: broken } }]\n';

function interrupted(run: string): Event {
  const [time, stats] = ['2026-11-20T18:50:23.000Z', { lb1: emptyStats() }];
  return {
    type: 'run-finished',
    time,
    run,
    status: 'interrupted',
    exitCode: 130,
    seconds: 1,
    stats,
    unstarted: ['lb2'],
  };
}

describe('evenkeel runs', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject({
      'inv.yml': INVENTORY,
      'site.yml': PLAYBOOK,
      'writing.yml': WRITING,
      'failing.yml': FAILING,
      'gated.yml': GATED,
    });
  });
  afterEach(() => project.remove());

  const call = (...args: readonly string[]): Promise<Ended> => evenkeel(args, { cwd: project.directory });
  const run = (file: string, ...args: readonly string[]): Promise<Ended> => call('run', file, '-i', 'inv.yml', ...args);
  const state = (): string => path.join(project.directory, '.evenkeel');
  const ids = async (): Promise<readonly string[]> => (await readdir(path.join(state(), 'runs'))).sort().reverse();
  /** Times and places differ from run to run. */
  const steady = (text: string): string =>
    text
      .replaceAll(/\d{8}T\d{6}Z-[\da-f]{6}/g, 'ID')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
      .replaceAll(/\d+(?:\.\d)? s\b/g, 'N s')
      .replaceAll(`by ${userInfo().username} on ${hostname()}`, 'by USER on HOST')
      .replaceAll(project.directory, 'DIR')
      .replaceAll(/ +/g, ' ');

  it('shows the environment whose inventory it was, also without --env', async () => {
    await project.write('evenkeel.yml', 'inventory: inv.yml\nenvironments: { lab: { inventory: inv.yml } }\n');
    await project.write('other.yml', INVENTORY);
    await call('run', 'site.yml');
    await call('run', 'site.yml', '-i', 'other.yml');
    const { stdout } = await call('runs', '--json');
    const listed = (JSON.parse(stdout) as readonly ListedRun[]).map(({ environment }) => environment);
    expect(listed).to.deep.equal([null, 'lab']);
  });

  it('keeps the tasks as they are in their files, without secrets, for reports', async () => {
    const task = '- hosts: all\n  tasks:\n    - assert: { that: [1 > 2], fail_msg: "hunter2 is wrong" }   # why\n';
    await project.write('assert.yml', task);
    await run('assert.yml', '-e', 'db_password=hunter2');
    const [id = ''] = await ids();
    // The report shows what ran, not what is there now.
    await project.write('assert.yml', task.replace('1 > 2', '3 > 4'));
    const shown = async () => {
      const html = await runReport(state(), id);
      const data = /id="data">([^<]*)</.exec(html)?.[1] ?? '';
      return readPage(new Uint8Array(gunzipSync(Buffer.from(data, 'base64')))).yaml[0]?.lines;
    };
    expect(await shown()).to.deep.equal(['    - assert: { that: [1 > 2], fail_msg: "******** is wrong" }   # why']);
    const file = path.join(state(), 'runs', id, 'tasks.json');
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    for (const damaged of ['', '{"a', '[]', '{"assert.yml:3:7":{"first":"3"}}']) {
      await writeFile(file, damaged);
      expect(await shown()).to.deep.equal(['    - assert: …']);
    }
  });

  it('keeps them while the run continues, for its page', async () => {
    const fleet = await startFleet({ controllers: 1 });
    try {
      const tasks = '{ debug: }, { pause: { seconds: 1 } }, { cloud_present: { name: edge } }';
      await project.write('long.yml', `- { hosts: all, tasks: [${tasks}] }\n`);
      let kept: readonly string[] = [];
      fleet.controller('lb1').watch = async (moment, { method }) => {
        if (moment !== 'carried out' || method === 'GET') return;
        const [id = ''] = await ids();
        const file = path.join(state(), 'runs', id, 'tasks.json');
        while (kept.length < 2) {
          const content = await readFile(file, 'utf8').catch(() => '');
          if (content.endsWith('}')) kept = Object.keys(JSON.parse(content) as object);
          else await setImmediate();
        }
      };
      const { code, stdout } = await call('run', 'long.yml', '-i', fleet.inventoryFile);
      expect(code, stdout).to.equal(0);
      expect(kept).to.deep.equal(['long.yml:1:25', 'long.yml:1:37']);
    } finally {
      await fleet.dispose();
    }
  });

  it('reports that there is no run yet', async () => {
    expect(await call('runs')).to.deep.equal({
      code: 0,
      stdout: '',
      stderr: `no runs are kept in ${project.directory}/.evenkeel/runs yet\n`,
    });
  });

  it('lists runs and tasks, newest first, with failures', async () => {
    await run('site.yml', '--check');
    await run('failing.yml');
    await call('task', 'lb1', '-i', 'inv.yml', '-m', 'debug', '-a', 'msg=hello', '-e', 'db_pw=1 mtu=9000');
    const { code, stdout } = await call('runs');
    const user = userInfo().username;
    expect(code).to.equal(0);
    expect(steady(stdout)).to.equal(
      [
        'RUN STARTED (UTC) STATUS CONTROLLERS TOOK BY ENVIRONMENT WHAT',
        `ID TIME finished 1 N s ${user} - task lb1 -i inv.yml -m debug -a msg=hello -e 'db_pw=******** mtu=9000'`,
        `ID TIME failed 2 N s ${user} - run failing.yml`,
        `ID TIME finished 2 N s ${user} - run site.yml (check)`,
        '',
      ].join('\n'),
    );
    expect((await call('runs', '-n', '1')).stdout.split('\n')).to.have.length(3);
  });

  it('lists the other runs beside one of an earlier version, and prunes that one', async () => {
    await run('site.yml', '--check');
    await run('site.yml', '--check');
    const [newest = '', oldest = ''] = await ids();
    const header = path.join(state(), 'runs', oldest, 'run.json');
    await writeFile(header, (await readFile(header, 'utf8')).replace('"schemaVersion": 3', '"schemaVersion": 2'));
    const said = `: run ${oldest} was made by an earlier version of evenkeel, and this version does not read its journal\n  = hint: to show it, finish it or roll it back, use that version\n`;
    const { code, stdout, stderr } = await call('runs');
    expect([code, stdout.split('\n').length, stderr]).to.deep.equal([0, 3, `warning${said}\n1 warning\n`]);
    expect(stdout).to.include(newest);
    expect(await call('runs', oldest)).to.deep.equal({ code: 1, stdout: '', stderr: `error${said}\n1 error\n` });
    expect((await call('runs', '--prune', '--keep', '1')).stdout).to.equal(`removed ${oldest}\nremoved 1 run\n`);
  });

  it('breaks the table of a narrow terminal between cells and words', () => {
    const argv = ['task', 'all', '-m', 'cloud_present', '-a', 'name=edge mtu=9000 dhcp_enabled=true', '--diff'];
    const common = { argv, environment: null, playbooks: [], simulated: false, check: false, seconds: 0.1 };
    const runs: readonly ListedRun[] = [
      {
        ...common,
        run: '20261123T174835Z-27e172',
        time: '2026-11-23T17:48:35.000Z',
        command: 'task',
        status: 'finished',
      },
      { ...common, run: '20261123T174833Z-2a361b', time: '2026-11-23T17:48:33.000Z', command: 'run', status: 'failed' },
    ];
    expect(runListText(runs, false, 80).split('\n')).to.deep.equal([
      'RUN                      STARTED (UTC)        STATUS    CONTROLLERS  TOOK   BY',
      '  ENVIRONMENT  WHAT',
      '20261123T174835Z-27e172  2026-11-23 17:48:35  finished  -            0.1 s  -',
      `  -            task all -m cloud_present -a 'name=edge mtu=9000`,
      `               dhcp_enabled=true' --diff`,
      '20261123T174833Z-2a361b  2026-11-23 17:48:33  failed    -            0.1 s  -',
      '  -            run',
      '',
    ]);
    const painted = stripVTControlCharacters(runListText(runs, true, 40)).replaceAll(/ +$/gm, '');
    expect(painted).to.equal(runListText(runs, false, 40));
    expect(Math.max(...painted.split('\n').map((line) => line.length))).to.be.at.most(40);
  });

  it('shows what a run did, and how to continue', async () => {
    await run('writing.yml', '--simulate');
    const { stdout } = await call('runs', 'last');
    expect(steady(stdout)).to.equal(
      [
        'run ID',
        ' what run writing.yml (simulated)',
        ' typed evenkeel run writing.yml -i inv.yml --simulate',
        ' started TIME UTC by USER on HOST',
        ' status finished, N s',
        ' in DIR',
        ' journal DIR/.evenkeel/runs/ID/journal.jsonl',
        '',
        'writes',
        ' lb1 POST cloud "edge": applied',
        ' lb2 POST cloud "edge": applied',
        '',
        'recap',
        'lb1 ok=1 changed=1 unreachable=0 failed=0 skipped=0 rescued=0 ignored=0',
        'lb2 ok=1 changed=1 unreachable=0 failed=0 skipped=0 rescued=0 ignored=0',
        '2 controllers · 2 changed · N s',
        '',
      ].join('\n'),
    );
  });

  it('shows who ran it and why, without secrets', async () => {
    const why = ['--reason', 'new sites, hunter22', '--ticket', 'CHG0012'];
    await run('site.yml', '-e', 'controller_password=hunter22', ...why);
    expect(steady((await call('runs', 'last')).stdout)).to.include(
      ' started TIME UTC by USER on HOST, CHG0012: new sites, ********\n',
    );
    const [{ author }] = JSON.parse((await call('runs', '--json')).stdout) as [{ author: object }];
    expect(author).to.deep.equal({
      user: userInfo().username,
      host: hostname(),
      reason: 'new sites, ********',
      ticket: 'CHG0012',
    });
  });

  it('names the user behind sudo', async () => {
    await evenkeel(['run', 'site.yml', '-i', 'inv.yml'], { cwd: project.directory, env: { SUDO_USER: 'ann' } });
    expect((await call('runs', 'last')).stdout).to.include(` by ann (as ${userInfo().username}) on `);
  });

  it('shows and saves objects as they were before, without secrets', async () => {
    await project.write(
      'objects.yml',
      `- hosts: lb1
  tasks:
    - cloud_present: { name: edge, mtu: 1500, custom: { password: hunter22 } }
    - cloud_present: { name: edge, mtu: 9000 }
    - { cloud_present: { name: quiet, mtu: 9000 }, no_log: true }
    - api_request: { method: POST, path: /api/cloud/, body: { name: x } }
`,
    );
    await run('objects.yml', '--simulate');
    const { stdout } = await call('runs', 'last', '--objects');
    expect(stdout).to.match(
      /^lb1 {2}POST cloud "edge": applied\n {2}did not exist\n\nlb1 {2}PUT cloud "edge": applied\n/,
    );
    expect(stdout).to.include('\n  mtu: 1500\n').and.to.include('\n    password: ********\n');
    expect(stdout).to.include('lb1  POST cloud_present (masked): applied\n  no_log masks it\n');
    expect(stdout).to.include(
      'lb1  POST /api/cloud/: applied\n  not read: api_request sends what a task says, not an object\n',
    );
    const objects = JSON.parse((await call('runs', 'last', '--objects', '--json')).stdout) as Record<string, unknown>[];
    expect(objects.map(({ write }) => write)).to.deep.equal([1, 2, 3, 4]);
    expect(objects[1]).to.deep.include({
      controller: 'lb1',
      object: 'cloud "edge"',
      method: 'PUT',
      outcome: 'applied',
    });
    expect(objects[1]?.['before'])
      .to.include({ mtu: 1500 })
      .and.to.deep.include({ custom: { password: '********' } });
    expect(objects[1]?.['after']).to.include({ mtu: 9000 });

    const saved = await call('runs', 'last', '--save', 'before');
    expect(saved.stdout).to.equal(
      'saved 1 object in before; nothing to save for 3 writes (created, raw, masked or lost)\n',
    );
    const file = path.join(project.directory, 'before', 'lb1', '2-cloud-edge.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).to.deep.equal(objects[1]?.['before']);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const both = await call('runs', 'last', '--objects', '--save', 'both');
    expect(both.stdout).to.include('saved 1 object in both').and.to.include('lb1  PUT cloud "edge": applied');
    const again = await call('runs', 'last', '--save', 'before');
    expect(again).to.include({ code: 1, stdout: '' });
    expect(again.stderr).to.include('file already exists').and.to.include('--save takes a new or an empty folder');
  });

  it('names objects and paths without secrets, and none of no_log', async () => {
    const tasks = [
      "cloud_present: { name: 'edge-{{ db_password }}', mtu: '{{ mtu }}' }",
      "api_request: { method: POST, path: '/api/{{ db_password }}' }, ignore_errors: true",
      'api_request: { method: POST, path: /api/quiet }, no_log: true, ignore_errors: true',
    ];
    await project.write('named.yml', `- { hosts: lb1, tasks: [${tasks.map((task) => `{ ${task} }`).join(', ')}] }\n`);
    for (const mtu of [1400, 1500]) await run('named.yml', '--simulate', '-e', `db_password=hunter22 mtu=${mtu}`);
    const shown = await call('runs', 'last', '--objects');
    const { stdout } = await call('runs', 'last', '--objects', '--json');
    const saved = await call('runs', 'last', '--save', 'named');
    expect(shown.stdout + stdout + saved.stdout)
      .to.not.include('hunter22')
      .and.not.include('quiet');
    const objects = JSON.parse(stdout) as readonly Record<string, unknown>[];
    expect(objects.map(({ object, path: where }) => [object, where])).to.deep.equal([
      ['cloud "edge-********"', objects[0]?.['path']],
      ['POST /api/********', '/api/********'],
      [undefined, undefined],
    ]);
    const files = await readdir(path.join(project.directory, 'named', 'lb1'));
    expect(files).to.deep.equal(['1-cloud-edge.json']);
  });

  it('says that a run wrote no object', async () => {
    await run('site.yml');
    expect((await call('runs', 'last', '--objects')).stdout).to.equal('the run wrote no object\n');
    expect((await call('runs', 'last', '--objects', '--json')).stdout).to.equal('[]\n');
  });

  it('refuses --objects and --save where they make no sense', async () => {
    for (const [args, message] of [
      [['--objects'], '--objects needs a RUN'],
      [['--save', 'x'], '--save needs a RUN'],
      [['last', '--save', 'x', '--json'], '--save writes JSON files: it has no --json'],
    ] as const)
      expect(await call('runs', ...args))
        .to.include({ code: 1 })
        .and.to.have.property('stderr')
        .that.includes(message);
  });

  for (const [file, command] of [
    ['failing.yml', 'evenkeel run --rerun ID'],
    ['gated.yml', 'evenkeel resume ID'],
  ] as const) {
    it(`prints the same command as the end of the run (${file})`, async () => {
      const { stdout } = await run(file);
      expect(steady(stdout)).to.include(`\ncontinue with: ${command}\n`);
      expect(steady((await call('runs', 'last')).stdout)).to.match(new RegExp(`\n\ncontinue with: ${command}\n$`));
    });
  }

  for (const [check, command] of [
    [false, 'evenkeel resume ID'],
    [true, 'evenkeel run --rerun ID'],
  ] as const) {
    it(`prints how to continue what was interrupted, ${check ? 'a check' : 'a run'}`, async () => {
      const journal = await beginRun(state(), { start: { check } });
      journal.keep(masked(interrupted(journal.id)));
      await journal.close();
      expect(steady((await call('runs', 'last')).stdout)).to.match(new RegExp(`\n\ncontinue with: ${command}\n$`));
    });
  }

  it('omits columns of the recap that do not fit into the terminal', async () => {
    await run('site.yml');
    const detail = await runDetail(state(), (await ids())[0] ?? '');
    expect(detailText(detail, false, 60)).to.include('\nlb1  ok=1\nlb2  ok=1\n');
  });

  it('shows an interrupted run', async () => {
    const gone = { ...ownIdentity(), started: 'long ago' };
    const journal = await beginRun(state(), { start: { process: gone } });
    journal.keep(masked(aPlay(['lb1', 'lb2'], journal.id)));
    await journal.intend(anIntent());
    await journal.close();
    const list = await call('runs', '--json');
    expect(JSON.parse(list.stdout)).to.have.nested.property('[0].status', 'cut off');
    const { stdout } = await call('runs', journal.id.slice(0, -2));
    expect(steady(stdout)).to.equal(
      [
        'run ID',
        ' what run site.yml',
        ' typed evenkeel run site.yml',
        ' started TIME UTC',
        ' status cut off',
        ' in /nowhere',
        ' journal DIR/.evenkeel/runs/ID/journal.jsonl',
        '',
        'writes',
        ' lb1 POST cloud "edge": unknown',
        '',
        'recap',
        'lb1 not started',
        'lb2 not started',
        '',
        'continue with: evenkeel resume ID',
        '',
      ].join('\n'),
    );
  });

  it('reports an invalid line and still lists the rest', async () => {
    await run('site.yml');
    const [id = ''] = await ids();
    const file = path.join(state(), 'runs', id, 'journal.jsonl');
    await writeFile(file, `garbage\n${await readFile(file, 'utf8')}`);
    const { code, stdout } = await call('runs', id);
    expect(code).to.equal(0);
    expect(steady(stdout)).to.include(
      'warnings\n DIR/.evenkeel/runs/ID/journal.jsonl:1: it is not JSON: it was left out\n',
    );
    expect(stdout).to.include('2 controllers · 2 ok');
  });

  it('prints everything for programs', async () => {
    await run('writing.yml', '--simulate');
    const [id = ''] = await ids();
    const detail = JSON.parse((await call('runs', id, '--json')).stdout) as Record<string, unknown>;
    expect(detail).to.deep.include({ run: id, status: 'finished', exitCode: 0, controllers: 2, simulated: true });
    expect(detail['writes']).to.have.length(2);
    expect(detail['stats']).to.have.property('lb1');
  });

  it('refuses invalid arguments', async () => {
    expect((await call('runs', 'nope')).stderr).to.equal(`error: there are no runs in .evenkeel/runs yet\n\n1 error\n`);
    expect((await call('runs', '--keep', '3')).stderr).to.equal('error: --keep goes with --prune\n\n1 error\n');
    expect((await call('runs', 'last', '--prune')).stderr).to.equal(
      'error: --prune removes the oldest runs: it takes no RUN\n\n1 error\n',
    );
  });

  it('removes the oldest, and lists them', async () => {
    for (let index = 0; index < 3; index++) await run('site.yml');
    const [newest = '', middle = '', oldest = ''] = await ids();
    expect((await call('runs', '--prune', '--keep', '1', '--check')).stdout).to.equal(
      `would remove ${oldest}\nwould remove ${middle}\nwould remove 2 runs\n`,
    );
    expect((await call('runs', '--prune', '--keep', '1')).stdout).to.equal(
      `removed ${oldest}\nremoved ${middle}\nremoved 2 runs\n`,
    );
    expect(await ids()).to.deep.equal([newest]);
    expect((await call('runs', '--prune')).stdout).to.equal('nothing to remove\n');
  });

  it('opens only the listed ones of 10,000 runs, and a run removes only a few', async () => {
    const folder = path.join(state(), 'runs');
    // Without a header: reading one would fail.
    for (let index = 0; index < 10_000; index++) {
      await mkdir(path.join(folder, `20200101T000000Z-${index.toString(16).padStart(6, '0')}`), { recursive: true });
    }
    expect((await run('site.yml')).code).to.equal(0);
    const { stderr, stdout } = await call('runs', '-n', '1');
    expect(stderr).to.equal('');
    expect(stdout.split('\n')).to.have.length(3);
    expect(await ids()).to.have.length(9981);
  });
});

describe('a run that cannot be kept', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject({ 'inv.yml': INVENTORY, 'site.yml': PLAYBOOK, '.evenkeel': 'a file' });
  });
  after(() => project.remove());

  const why = (directory: string): RegExp =>
    new RegExp(`cannot keep a journal of the run in (?:${directory}/)?.evenkeel/runs/[\\w-]+: not a directory`);

  it('is refused if it may write', async () => {
    const { code, stdout, stderr } = await evenkeel(['run', 'site.yml', '-i', 'inv.yml'], { cwd: project.directory });
    expect([code, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(why(project.directory));
    expect(stderr).to.include(': nothing was contacted\n');
    expect(stderr).to.include(
      'hint: Evenkeel keeps every run that may write; state_dir in evenkeel.yml, or EVENKEEL_STATE_DIR, names another folder',
    );
  });

  it('continues with a warning if it only reads', async () => {
    const { code, stdout, stderr } = await evenkeel(['run', 'site.yml', '-i', 'inv.yml', '--check'], {
      cwd: project.directory,
    });
    expect(code).to.equal(0);
    expect(stdout + stderr).to.match(why(project.directory));
    expect(stdout + stderr).to.include('; the run continues because it writes nothing');
  });

  it('is kept in EVENKEEL_STATE_DIR', async () => {
    const { code } = await evenkeel(['run', 'site.yml', '-i', 'inv.yml'], {
      cwd: project.directory,
      env: { EVENKEEL_STATE_DIR: 'elsewhere' },
    });
    expect(code).to.equal(0);
    expect(await readdir(path.join(project.directory, 'elsewhere'))).to.have.members(['.gitignore', 'key', 'runs']);
  });
});
