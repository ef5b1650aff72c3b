import { readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { encode } from '../../src/core/model/values/value_codec.js';
import { runPlaybook } from '../../src/index.js';
import { readKey, Sealer } from '../../src/record/journal/format/project_key.js';
import { runFolder } from '../../src/record/journal/format/run_folders.js';
import { readHeader, writeHeader } from '../../src/record/journal/format/run_header.js';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { cutOff, type Cut } from '../rig/cut_off.js';
import { EventMaker, masked } from '../rig/events.js';
import { eventsOf, finishedOf, tasksOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';
import { beginRun, readKept } from '../rig/kept.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const SITE = `- name: Site
  hosts: fleet
  serial: 1
  tasks:
    - name: First
      cloud_present: { name: first, mtu: "{{ mtu }}" }
      register: first
    - name: Second
      cloud_present: { name: second, properties: { was: "{{ first.object.uuid }}" } }
`;

const RUN = ['run', 'site.yml', '-i', 'inventory.yml', '-e', 'mtu=1400'];

/** The header of a run of another machine. */
function elsewhere(header: string): string {
  return header.replace(/"host": "[^"]*"/, '"host": "elsewhere"').replace(/"boot": "[^"]*"/, '"boot": "another"');
}

describe('evenkeel resume', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 2 });
    project = await emptyProject({ 'site.yml': SITE, 'inventory.yml': fleet.inventory });
  });
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  function cut(args: readonly string[] = RUN, where: Partial<Cut> = {}): Promise<Ended> {
    return cutOff(args, { cwd: project.directory, fleet, controller: 'lb1', nth: 1, signal: 'SIGKILL', ...where });
  }

  function resume(...args: readonly string[]): Promise<Ended> {
    return evenkeel(['resume', ...args], { cwd: project.directory });
  }

  async function newest(): Promise<string> {
    return (await readdir(path.join(project.directory, '.evenkeel/runs'))).sort().at(-1) ?? '';
  }

  function writes(controller: string): readonly string[] {
    const requests = fleet.controller(controller).requests.filter(({ method }) => method !== 'GET');
    return requests.map(({ method, path: at, body }) => `${method} ${at} ${/"name":"(\w+)"/.exec(body)?.[1] ?? ''}`);
  }

  const CREATES = ['POST /api/cloud/ first', 'POST /api/cloud/ second'];

  it('finishes a run that was killed, and writes nothing twice', async () => {
    expect((await cut()).code).to.equal(null);
    const id = await newest();
    const { code, stdout, stderr } = await resume('last', '-o', 'json', '--reason', 'power is back');
    expect(code, stderr).to.equal(0);
    const shown = await evenkeel(['runs', 'last'], { cwd: project.directory });
    expect(shown.stdout).to.match(/\n {2}started .* by \S+ on \S+\n {2}resumed .* UTC by \S+ on \S+, power is back\n/);
    expect(eventsOf(stdout)[0]).to.include({ type: 'run-started', run: id, resumed: true });
    const whole = { ok: 2, changed: 2, unreachable: 0, failed: 0, skipped: 0, rescued: 0, ignored: 0 };
    expect(finishedOf(stdout).stats).to.deep.equal({ lb1: whole, lb2: whole });
    expect([writes('lb1'), writes('lb2')]).to.deep.equal([CREATES, CREATES]);
    expect(await newest()).to.equal(id);
  });

  it('is what a rerun of all controllers suggests, with the project file that was named', async () => {
    await project.write('other.yml', 'state_dir: other\n');
    const named = ['--config', 'other.yml'];
    await cut([...RUN, ...named]);
    const { code, stderr } = await evenkeel(['run', '--rerun', 'last', ...named], { cwd: project.directory });
    expect(code).to.equal(1);
    const said =
      /^error: run (\S+) was interrupted, so the controllers that it left out are unknown\n {2}= hint: continue with evenkeel (resume \1 --config other\.yml); --rerun \1:failed,unreachable leaves the others alone\n/;
    const [, , suggested = ''] = said.exec(stderr) ?? [];
    expect((await evenkeel(suggested.split(' '), { cwd: project.directory })).code, stderr).to.equal(0);
  });

  it('is what a rerun suggests for a run of another machine, which may still be at work there', async () => {
    await cut();
    const id = await newest();
    const header = path.join(project.directory, '.evenkeel/runs', id, 'run.json');
    await writeFile(header, elsewhere(await readFile(header, 'utf8')));
    const { code, stderr } = await evenkeel(['run', '--rerun', `${id}:failed`], { cwd: project.directory });
    expect([code, stderr]).to.deep.equal([
      1,
      `error: run ${id} was started on elsewhere: this machine cannot see whether it is still running\n  = hint: if it has ended, continue with evenkeel resume ${id} --force\n\n1 error\n`,
    ]);
  });

  it('has options of its own', async () => {
    await cut();
    const { code, stdout, stderr } = await resume('last', '--diff');
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/\n {4}\+ name: second\n/);
    expect([writes('lb1'), writes('lb2')]).to.deep.equal([CREATES, CREATES]);
  });

  it('lists at the end what the run wrote before, and how to roll it back', async () => {
    const site =
      '- hosts: lb1\n  gate: { checks: [{ assert: { that: false } }] }\n  tasks: [cloud_present: { name: x }]\n';
    await project.write('gated.yml', site);
    await evenkeel(['run', 'gated.yml', '-i', 'inventory.yml'], { cwd: project.directory });
    const id = await newest();
    const { code, stdout } = await resume('last', '-o', 'quiet');
    expect(code).to.equal(6);
    expect(stdout.replace(/\d+\.\d s\n/, 'TIME\n')).to.equal(`failed: Assertion failed: false
  --> gated.yml:2:20 assert (assert)
    |
  1 | - hosts: lb1
  2 |   gate: { checks: [{ assert: { that: false } }] }
    |                    ^
  3 |   tasks: [cloud_present: { name: x }]
  = controller: lb1
  = gate: of batch 1, round 1
  = written before: cloud "x"

ended early: the gate of the play failed: "assert" on lb1

1 controller · 1 changed · gate failed · TIME

continue with: evenkeel resume ${id}
or roll back with: evenkeel rollback ${id}
`);
  });

  it('repeats a request of a gate that may have taken effect only once the user knows of it', async () => {
    const check = 'api_request: { method: POST, path: /api/cloud/, body: { name: probe } }';
    await project.write(
      'gated.yml',
      `- hosts: lb1\n  gate: { checks: [${check}], passes: 2 }\n  tasks: [cloud_present: { name: x }]\n`,
    );
    const probes = () => writes('lb1').filter((one) => one.endsWith('probe')).length;
    await cut(['run', 'gated.yml', '-i', 'inventory.yml'], { nth: 2 });
    expect(probes()).to.equal(1);
    const { code, stdout } = await resume('last', '-o', 'quiet');
    expect(code).to.equal(6);
    expect(stdout)
      .to.include(
        'it is unknown whether POST /api/cloud/ took effect when the run was cut off, so it is not sent again',
      )
      .and.to.include(
        'hint: look at the controller; if it did not take effect, it is sent again when the gate starts again',
      )
      .and.to.include('continue with: evenkeel resume ');
    expect(probes()).to.equal(1);
    fleet.controller('lb1').watch = (moment) => {
      if (moment === 'received') fleet.controller('lb1').setObjects('/api/cloud/', []);
      return Promise.resolve();
    };
    await resume('last');
    expect(probes()).to.be.above(1);
  });

  it('passes a gate whose checks create and delete an object, wherever it was cut off', async () => {
    const checks = '[cloud_present: { name: probe }, cloud_absent: { name: probe }]';
    await project.write('gated.yml', `- hosts: lb1\n  gate: { checks: ${checks}, failures: 2 }\n  tasks: []\n`);
    for (const nth of [1, 2]) {
      await cut(['run', 'gated.yml', '-i', 'inventory.yml'], { nth });
      const { code, stdout } = await resume('last');
      expect(code, stdout).to.equal(0);
      expect(fleet.controller('lb1').objects('/api/cloud/')).to.deep.equal([]);
    }
  });

  for (const way of ['resume', 'run --rerun'])
    it(`sends nothing more once the state folder was moved, and nothing twice by ${way} when it is back`, async () => {
      const [state, elsewhere] = ['.evenkeel', 'elsewhere'].map((name) => path.join(project.directory, name));
      fleet.controller('lb1').watch = async (moment, { method }) => {
        if (moment !== 'carried out' || method === 'GET') return;
        fleet.controller('lb1').watch = undefined;
        await rename(state ?? '', elsewhere ?? '');
      };
      const { code, stdout, stderr } = await evenkeel(RUN, { cwd: project.directory });
      expect(code).to.equal(2);
      expect(stdout + stderr).to.include('it was deleted or moved during the run');
      expect(stdout).to.include('restore the state folder, then resume the run');
      expect([writes('lb1'), writes('lb2')]).to.deep.equal([CREATES.slice(0, 1), []]);
      await rename(elsewhere ?? '', state ?? '');
      const again = await evenkeel([...way.split(' '), 'last'], { cwd: project.directory });
      expect(again.code, again.stderr).to.equal(0);
      expect([writes('lb1'), writes('lb2')]).to.deep.equal([CREATES, CREATES]);
    });

  it('finishes an interrupted run with the command that the run printed', async () => {
    const first = await cut(RUN, { signal: 'SIGINT' });
    const id = await newest();
    expect(first.code).to.equal(130);
    expect(first.stdout).to.include(`\ncontinue with: evenkeel resume ${id}\n`);
    const { code, stdout } = await resume(id.slice(0, -3), '-o', 'json');
    expect(code).to.equal(0);
    expect(tasksOf(stdout).map(({ controller, task }) => `${controller} ${task}`)).to.deep.equal([
      'lb1 Second',
      'lb2 First',
      'lb2 Second',
    ]);
    expect([writes('lb1'), writes('lb2')]).to.deep.equal([CREATES, CREATES]);
  });

  it('finishes a run of the library', async () => {
    const interrupt = new AbortController();
    fleet.controller('lb1').watch = (_, { method }) => {
      if (method !== 'GET') interrupt.abort();
      return Promise.resolve();
    };
    const cwd = project.directory;
    const options = { playbooks: ['site.yml'], cwd, inventory: ['inventory.yml'], extraVars: { mtu: 1400 } };
    const finished = await runPlaybook({ ...options, env: {}, signal: interrupt.signal });
    expect(finished.status).to.equal('interrupted');
    // It runs from the sources here, which have no version.
    const { code, stderr } = await resume('last', '--force');
    expect(code, stderr).to.equal(0);
    expect(stderr).to.match(
      /^warning: this is evenkeel \S+, and the run was started with 0\.0\.0-source\n\n1 warning\n$/,
    );
    expect([writes('lb1'), writes('lb2')]).to.deep.equal([CREATES, CREATES]);
  });

  it('finishes a single task', async () => {
    await cut(['task', 'fleet', '-i', 'inventory.yml', '-f', '1', '-m', 'cloud_present', '-a', 'name=edge']);
    expect((await resume('last')).code).to.equal(0);
    expect([writes('lb1'), writes('lb2')]).to.deep.equal([['POST /api/cloud/ edge'], ['POST /api/cloud/ edge']]);
  });

  it('keeps the controllers that the limit selected', async () => {
    await project.write('who', 'lb1\n');
    await cut([...RUN, '--limit', '@who']);
    await project.write('who', 'lb2\n');
    const { stdout } = await resume('last', '-o', 'json');
    expect(Object.keys(finishedOf(stdout).stats)).to.deep.equal(['lb1']);
  });

  it('continues at the address that a task, or a file of each controller, had set', async () => {
    const url = fleet.url('lb2');
    const found = `- { hosts: localhost, tasks: [{ add_host: { name: lb2, controller_url: '${url}' } }] }\n`;
    const read = SITE.replace('serial: 1', "serial: 1\n  vars_files: ['{{ inventory_hostname }}.yml']");
    await project.write('inventory.yml', fleet.inventory.replace(url, 'https://127.0.0.1:9'));
    await project.write('lb1.yml', '');
    await project.write('lb2.yml', `controller_url: ${url}\n`);
    for (const site of [found + SITE, read]) {
      await project.write('site.yml', site);
      for (const name of fleet.names) fleet.controller(name).setObjects('/api/cloud/', []);
      await cut(RUN, { controller: 'lb2' });
      const { code, stdout, stderr } = await resume('last');
      expect(code, site + stdout + stderr).to.equal(0);
      expect(fleet.controller('lb2').objects('/api/cloud/')).to.have.length(2);
    }
  });

  it('knows the run from another folder', async () => {
    await project.write('evenkeel.yml', '{}\n');
    await project.write('deep/in/it/file', '');
    await cut();
    const cwd = path.join(project.directory, 'deep/in/it');
    const wrong = await evenkeel(['resume', 'last', '--vault-password-file', 'password'], { cwd });
    expect(wrong.stderr).to.include('deep/in/it/password');
    const { code, stderr } = await evenkeel(['resume', 'last'], { cwd });
    expect(code, stderr).to.equal(0);
  });

  describe('refuses', () => {
    async function refusal(...args: readonly string[]): Promise<string> {
      const { code, stdout, stderr } = await resume(...args);
      expect(code).to.equal(1);
      expect(stdout).to.equal('');
      expect(writes('lb2')).to.deep.equal([]);
      return stderr;
    }

    it('an unknown run', async () => {
      expect(await refusal('last')).to.equal('error: there are no runs in .evenkeel/runs yet\n\n1 error\n');
      await cut();
      expect(await refusal('1999')).to.equal(
        `error: there is no run "1999" in .evenkeel/runs\n  = hint: the newest is ${await newest()}; evenkeel runs lists them\n\n1 error\n`,
      );
    });

    it('a run that is finished', async () => {
      await project.write('fine.yml', '- hosts: lb1\n  tasks: [debug: ]\n');
      await evenkeel(['run', 'fine.yml', '-i', 'inventory.yml'], { cwd: project.directory });
      expect(await refusal('last')).to.equal(
        `error: run ${await newest()}, "run fine.yml", is finished: there is nothing to resume\n\n1 error\n`,
      );
      await project.write('failing.yml', '- hosts: lb1\n  tasks: [fail: ]\n');
      await evenkeel(['run', 'failing.yml', '-i', 'inventory.yml'], { cwd: project.directory });
      const id = await newest();
      expect(await refusal('last')).to.equal(
        `error: run ${id}, "run failing.yml", is finished: there is nothing to resume\n  = hint: evenkeel run --rerun ${id} runs it again on the controllers that did not succeed\n\n1 error\n`,
      );
    });

    it('the last run if it is finished, and names the newest that is not', async () => {
      await cut();
      const id = await newest();
      await evenkeel(['drift', ...RUN.slice(1)], { cwd: project.directory });
      const stderr = await refusal('last');
      expect(stderr).to.include(`is finished: there is nothing to resume`);
      expect(stderr).to.match(
        new RegExp(
          `\nwarning: "last" is not run ${id}, "[^"]+", the newest that did not finish\n  = hint: to resume it: evenkeel resume ${id}\n`,
        ),
      );
    });

    it('the last run if it is finished, and names none that it refuses, too', async () => {
      await cut();
      const id = await newest();
      const state = path.join(project.directory, '.evenkeel');
      const drift = (): Promise<Ended> => evenkeel(['drift', ...RUN.slice(1)], { cwd: project.directory });
      await drift();
      const header = path.join(runFolder(state, id), 'run.json');
      const text = await readFile(header, 'utf8');
      for (const other of [text.replace('"schemaVersion": 3', '"schemaVersion": 2'), elsewhere(text)]) {
        await writeFile(header, other);
        expect(await refusal('last'))
          .to.include('is finished')
          .and.not.include('to resume it');
      }
      await writeFile(header, text);
      expect(await refusal('last')).to.include(`to resume it: evenkeel resume ${id}\n`);
      const rollback = await beginRun(state, { start: { undoes: id } });
      rollback.keep(masked(new EventMaker().runFinished()));
      await rollback.close();
      await drift();
      expect(await refusal('last'))
        .to.include('is finished')
        .and.not.include('to resume it');
    });

    it('a run that is still running', async () => {
      let refused: Promise<string> | undefined;
      fleet.controller('lb1').watch = async (moment, { method }) => {
        if (moment !== 'received' || method === 'GET' || refused !== undefined) return;
        refused = refusal('last');
        await refused;
      };
      expect((await evenkeel(RUN, { cwd: project.directory })).code).to.equal(0);
      expect(await refused).to.match(
        /^error: run \S+ is still running \(process \d+ on \S+\): nothing was contacted\n {2}= hint: wait until it finishes, or end it with Ctrl-C\n\n1 error\n$/,
      );
    });

    it('a check', async () => {
      await project.write('check.yml', '- hosts: lb1\n  tasks: [{ cloud_present: { name: x }, check_mode: false }]\n');
      await cut(['run', 'check.yml', '-i', 'inventory.yml', '--check']);
      const id = await newest();
      expect(await refusal('last')).to.equal(
        `error: run ${id} was a check: there is nothing to resume\n  = hint: start it again with its original command\n\n1 error\n`,
      );
    });

    it('a run of an earlier version, as --rerun and rollback do', async () => {
      await cut();
      const id = await newest();
      const header = path.join(project.directory, '.evenkeel/runs', id, 'run.json');
      await writeFile(header, (await readFile(header, 'utf8')).replace('"schemaVersion": 3', '"schemaVersion": 2'));
      const refused = `error: run ${id} was made by an earlier version of evenkeel, and this version does not read its journal\n  = hint: to show it, finish it or roll it back, use that version\n\n1 error\n`;
      expect(await refusal('last')).to.equal(refused);
      for (const command of [
        ['run', '--rerun', 'last'],
        ['rollback', id, '--yes'],
        ['rollback', 'last', '--yes'],
      ])
        expect(await evenkeel(command, { cwd: project.directory }), command.join(' ')).to.deep.include({
          code: 1,
          stderr: refused,
        });
    });

    it('with --simulate, a run that was not simulated', async () => {
      await cut();
      expect(await refusal('last', '--simulate')).to.equal(
        `error: run ${await newest()} was not simulated and cannot be resumed with --simulate: simulated writes would count as done\n  = hint: omit --simulate\n\n1 error\n`,
      );
    });

    it('a run whose request is not in the journal', async () => {
      await cut();
      const header = path.join(project.directory, '.evenkeel/runs', await newest(), 'run.json');
      const text = await readFile(header, 'utf8');
      await writeFile(header, text.replace(/,\s*"sealed": "[^"]*"/, ''));
      expect(await refusal('last')).to.equal(`error: run ${await newest()} has no recorded request\n\n1 error\n`);
    });

    it('a run that was started on another machine, unless forced', async () => {
      await cut();
      const id = await newest();
      const header = path.join(project.directory, '.evenkeel/runs', id, 'run.json');
      const text = await readFile(header, 'utf8');
      await writeFile(header, elsewhere(text));
      expect(await refusal('last')).to.equal(
        `error: run ${id} was started on elsewhere: this machine cannot see whether it is still running\n  = hint: if it has ended, pass --force\n\n1 error\n`,
      );
      const { code, stderr } = await resume('last', '--force');
      expect(code, stderr).to.equal(0);
    });

    it('a run of another machine that was rolled back, in a changed project, with all reasons at once', async () => {
      await cut();
      const id = await newest();
      const state = path.join(project.directory, '.evenkeel');
      const header = path.join(runFolder(state, id), 'run.json');
      await writeFile(header, elsewhere(await readFile(header, 'utf8')));
      const rollback = await beginRun(state, { start: { undoes: id } });
      rollback.keep(masked(new EventMaker().runFinished()));
      await rollback.close();
      const undoneBy = await newest();
      await project.write('site.yml', `${SITE}    - name: Third\n      cloud_present: { name: third }\n`);
      const undone = `run ${id} was rolled back by ${undoneBy}`;
      expect(await refusal(id))
        .to.include(`error: run ${id} was started on elsewhere`)
        .and.include(`error: ${undone}: tasks that were rolled back would count as done\n`)
        .and.include('error: site.yml has changed\n');
      const { code, stderr } = await resume(id, '--force');
      expect(code, stderr).to.equal(0);
      expect(stderr).to.include(
        `warning: ${undone}: what it had done before is not done again\n  = hint: run the playbook again to do all of it\n`,
      );
    });

    it('a run whose inputs are not recorded, unless forced', async () => {
      await cut();
      const id = await newest();
      const state = path.join(project.directory, '.evenkeel');
      const { header } = await readHeader(state, id);
      const sealer = new Sealer((await readKey(state))!, id);
      const invocation = await readKept(state, id, (run) => run.invocation());
      await writeHeader(runFolder(state, id), { header, sealed: sealer.seal(encode(invocation)) });
      const message = `the inputs of run ${id} are not recorded`;
      expect(await refusal('last')).to.match(new RegExp(`^error: ${message}\n`));
      const { code, stderr } = await resume('last', '--force');
      expect([code, stderr.includes(`warning: ${message}\n`)], stderr).to.deep.equal([0, true]);
    });

    it('an unreadable journal, with the position', async () => {
      await cut();
      const file = path.join(project.directory, '.evenkeel/runs', await newest(), 'journal.jsonl');
      const lines = (await readFile(file, 'utf8')).split('\n');
      await writeFile(file, [lines[0], '{ broken', ...lines.slice(1)].join('\n'));
      expect(await refusal('last')).to.match(
        /^error: .*journal\.jsonl:2: it is not JSON\n {2}= hint: the journal was changed since it was written: restore it from a backup, or check the controllers and begin a new run\n/,
      );
    });

    it('a journal that was cut off since, and so does a rollback: nothing is sent', async () => {
      await cut();
      const file = path.join(project.directory, '.evenkeel/runs', await newest(), 'journal.jsonl');
      const written = await readFile(file, 'utf8');
      // Up to the intent: the records that were on disk before the request was sent.
      await writeFile(
        file,
        written.slice(0, written.lastIndexOf('\n', written.indexOf('"type":"write-intended"')) + 1),
      );
      fleet.controller('lb1').clearRequests();
      const refused =
        /^error: .*journal\.jsonl: only \d+ of the \d+ bytes that the run wrote are left\n {2}= hint: the journal was changed since/;
      expect(await refusal('last')).to.match(refused);
      const rollback = await evenkeel(['rollback', 'last', '--yes'], { cwd: project.directory });
      expect(rollback.stderr).to.match(refused);
      const rerun = await evenkeel([...RUN, '--rerun', 'last'], { cwd: project.directory });
      expect(rerun.stderr).to.match(refused);
      expect(fleet.controller('lb1').requests).to.deep.equal([]);
    });

    it('a run that needs a confirmation and gets none', async () => {
      await project.write(
        'evenkeel.yml',
        'environments: { production: { inventory: inventory.yml, confirm: true } }\n',
      );
      await cut(['run', 'site.yml', '--env', 'production', '--yes', '-e', 'mtu=1400']);
      expect(await refusal('last')).to.equal(`About to run site.yml on 2 controllers of production: lb1, lb2
evenkeel: production needs confirmation, but stdin is not a terminal: pass --yes, or run in a terminal
`);
      expect((await resume('last', '--yes')).code).to.equal(0);
    });

    it('without the password that was typed', async () => {
      await cut();
      expect(await refusal('last', '-k')).to.equal(
        'evenkeel: -k needs a password from the terminal, and none was entered; nothing was contacted\n',
      );
    });

    for (const [who, variable, vars] of [
      ['', 'controller_url', 'controller_headers: { X-Site: a }'],
      [', as the play sets it', 'own', "controller_url: '{{ own }}'"],
    ] as const)
      it(`controllers that have another address now${who}, even if forced`, async () => {
        await project.write('site.yml', SITE.replace('serial: 1', `serial: 1\n  vars: { ${vars} }`));
        await project.write('inventory.yml', fleet.inventory.replaceAll('controller_url', variable));
        await cut(RUN, { controller: 'lb2' });
        const [then, other] = [fleet.url('lb2'), fleet.url('lb1')];
        await project.write('host_vars/lb2.yml', `${variable}: ${other}\n`);
        fleet.controller('lb1').clearRequests();
        const { code, stderr } = await resume('last', '--force');
        expect(code).to.equal(1);
        expect(stderr).to.include(
          `error: lb2 was at ${then} and is now at ${other}: what was done there would count as done here\n` +
            '  = hint: restore its address, or give the new controller another name\n',
        );
        expect(fleet.controller('lb1').requests).to.deep.equal([]);
      });

    it('a controller that has moved, without a secret in its former address', async () => {
      const { port } = new URL(fleet.url('lb1'));
      await project.write('group_vars/all.yml', 'gateway_token: 127.0.0.1\n');
      await cut();
      await project.write('inventory.yml', fleet.inventory.replace('127.0.0.1', 'gateway'));
      await project.write('group_vars/all.yml', 'gateway_token: gateway\n');
      expect(await refusal('last', '--force')).to.include(
        `error: lb1 was at https://********:${port} and is now at https://********:${port}: `,
      );
    });

    it('a controller that has moved, although a play of others gets its address from an answer', async () => {
      const asked = "vars_prompt: [{ name: url, default: '' }]\n  vars: { controller_url: '{{ url }}' }";
      await project.write('site.yml', `${SITE}- hosts: localhost\n  ${asked}\n  tasks: [debug: ]\n`);
      await cut();
      const [then, other] = [fleet.url('lb1'), 'https://127.0.0.1:9'];
      await project.write('inventory.yml', fleet.inventory.replace(then, other));
      expect(await refusal('last', '--force')).to.include(`error: lb1 was at ${then} and is now at ${other}: `);
    });

    it('plays that cannot be distinguished from those already started, even if forced', async () => {
      await cut();
      await project.write('site.yml', `- { name: New, hosts: fleet, tasks: [debug: ] }\n${SITE}`);
      expect(await refusal('last', '--force')).to.include(
        'error: play 1 had started, but cannot be identified now: plays were added, removed, renamed or moved\n' +
          '  = hint: restore the order of the plays that had started; add new plays after them, with other names\n',
      );
    });

    it('only what has changed again since it was forced', async () => {
      await cut();
      await project.write('site.yml', `${SITE}    - name: Third\n      cloud_present: { name: third }\n`);
      const forced = ['resume', 'last', '--force'];
      await cut(forced, { controller: 'lb2' });
      await project.write('host_vars/lb2.yml', 'rack: 4\n');
      const again = await resume('last');
      expect(again.stderr)
        .to.include('error: host_vars/lb2.yml was not read when the run started\n')
        .and.not.include('site.yml');
      await project.write('host_vars/lb2.yml', '{}\n');
      await unlink(path.join(project.directory, 'host_vars/lb2.yml'));
      expect((await resume('last')).code).to.equal(0);
    });

    it('a run with other inputs, unless forced', async () => {
      await cut();
      const id = await newest();
      await project.write('site.yml', `${SITE}    - name: Third\n      cloud_present: { name: third }\n`);
      await project.write('host_vars/lb2.yml', 'rack: 4\n');
      expect(await refusal('last')).to.equal(`error: site.yml has changed

error: host_vars/lb2.yml was not read when the run started

error: run ${id} cannot be resumed, because its inputs have changed
  = hint: undo the changes, or pass --force: finished tasks and items stay finished, and new or changed ones run as they are now

3 errors
`);
      const { code, stderr } = await resume('last', '--force');
      expect(code).to.equal(0);
      expect(stderr).to.equal(`warning: site.yml has changed

warning: host_vars/lb2.yml was not read when the run started

2 warnings
`);
      expect([writes('lb1'), writes('lb2')]).to.deep.equal([
        [...CREATES, 'POST /api/cloud/ third'],
        [...CREATES, 'POST /api/cloud/ third'],
      ]);
    });
  });
});
