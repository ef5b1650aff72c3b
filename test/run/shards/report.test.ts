import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { CELL_STATES, OUTCOMES, readPage, type Page } from '../../../src/reporting/page/format/page.js';
import { emptyProject, type Ended, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';
import { cellsOf } from '../../rig/page_run.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

/** Of two shards, the first has lb1, lb3, lb5 and lb6, the second lb2 and lb4. */
const SITE = `- name: Clouds
  hosts: all
  tasks:
    - cloud_present: { name: one }
    - name: Break
      fail: { msg: broken }
      when: inventory_hostname in (broken | default([]))
- name: Even ones
  hosts: even
  tasks:
    - debug: { msg: even }
`;

describe('evenkeel report of several runs', () => {
  let fleet: Fleet;
  /** Two machines, and one that has the whole fleet. */
  let machines: readonly [Project, Project, Project];
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 6 });
    const inventory = `${fleet.inventory}\n    even: { hosts: { lb2: , lb4: , lb6: } }\n`;
    const files = { 'site.yml': SITE, 'inventory.yml': inventory };
    machines = [await emptyProject(files), await emptyProject(files), await emptyProject(files)];
  });
  afterEach(async () => {
    await fleet.dispose();
    for (const machine of machines) await machine.remove();
  });

  function start(machine: Project, ...args: readonly string[]): Promise<Ended> {
    return evenkeel(args, { cwd: machine.directory });
  }

  function run(machine: Project, ...args: readonly string[]): Promise<Ended> {
    return start(machine, 'run', 'site.yml', '-i', 'inventory.yml', '--report', 'json=events.json', ...args);
  }

  const state = (machine: Project): string => path.join(machine.directory, '.evenkeel');
  const events = (machine: Project): string => path.join(machine.directory, 'events.json');

  async function report(...runs: readonly string[]): Promise<Ended & { readonly page: Page }> {
    const ended = await start(machines[2], 'report', ...runs);
    const [, data = ''] = /<script type="text\/plain" id="data">(.*?)<\/script>/s.exec(ended.stdout) ?? [];
    const page = ended.stdout === '' ? ({} as Page) : readPage(new Uint8Array(gunzipSync(Buffer.from(data, 'base64'))));
    return { ...ended, page };
  }

  function outcomesOf({ controllers, outcome }: Page): Readonly<Record<string, string>> {
    return Object.fromEntries(controllers.map((name, row) => [name, OUTCOMES[outcome[row] ?? 0] ?? '']));
  }

  const BROKEN = ['-e', '{"broken": ["lb4", "lb6"]}'];

  it('shows on one page what one run would have shown, from state folders and from files of events', async () => {
    const [first, second, whole] = machines;
    await run(first, ...BROKEN, '--shard', '1/2', '--check');
    await run(second, ...BROKEN, '--shard', '2/2', '--check');
    await run(whole, ...BROKEN, '--check');
    const expected = await report(events(whole));
    for (const parts of [
      [state(first), state(second)],
      [events(second), events(first)],
      [events(first), state(second)],
    ]) {
      const { code, page, stderr } = await report(...parts);
      expect(code, stderr).to.equal(2);
      expect(stderr).to.match(/^6 controllers · 4 changed · 2 failed · [\d.]+ m?s\n$/);
      expect(cellsOf(page, CELL_STATES)).to.deep.equal(cellsOf(expected.page, CELL_STATES));
      expect(outcomesOf(page)).to.deep.equal(outcomesOf(expected.page));
      expect(page.plays.map(({ name }) => name)).to.deep.equal(['Clouds', 'Even ones']);
      expect(page.batches.map(({ controllers }) => controllers.length)).to.deep.equal([6, 1]);
      expect(page.batches.map(({ failed }) => failed)).to.deep.equal(expected.page.batches.map(({ failed }) => failed));
      expect(page.facts.title).to.equal('run site.yml (check) (2 shards)');
      expect(page.run.status).to.equal('failed');
      const groups = new Map(page.groups.map(({ name, controllers }) => [name, controllers.length]));
      expect(Object.fromEntries(groups)).to.deep.equal({ fleet: 6, even: 3, 'shard 1/2': 4, 'shard 2/2': 2 });
    }
    expect(expected.code).to.equal(2);
  });

  it('ends with the code that one run would have had', async () => {
    const [first, second] = machines;
    await run(first, '--shard', '1/2');
    await run(second, '--shard', '2/2');
    expect((await report(state(first), state(second))).code).to.equal(0);
    expect((await report(state(first), state(second), '--detailed-exitcode')).code).to.equal(3);
    await run(first, '--shard', '1/2', '-e', 'controller_url=https://127.0.0.{{ inventory_hostname[2:] }}:1');
    expect((await report(events(first), events(second))).code).to.equal(4);
    await run(second, '--shard', '2/2', ...BROKEN);
    expect((await report(events(first), events(second))).code).to.equal(2);
  });

  it('is an error if a shard is missing, and the page says so', async () => {
    const [first, second] = machines;
    await run(first, '--shard', '1/3');
    await run(second, '--shard', '3/3');
    const { code, stderr, page } = await report(events(first), events(second));
    expect(code).to.equal(1);
    expect(stderr).to.match(/^3 controllers · 3 changed · .*\nerror: shard 2\/3 is missing\n\n1 error\n$/);
    expect(page.warnings.map(({ message }) => message)).to.deep.equal(['shard 2/3 is missing']);
    expect((await report(events(first))).stderr).to.include(
      'error: shard 2/3 is missing\n\nerror: shard 3/3 is missing',
    );
  });

  it('shows a shard whose machine was lost as cut off, with the command that continues it', async () => {
    const [first, second] = machines;
    await run(first, '--shard', '1/2');
    await run(second, '--shard', '2/2', '-f', '1');
    const [id = ''] = await readdir(path.join(state(second), 'runs'));
    const folder = path.join(state(second), 'runs', id);
    const journal = await readFile(path.join(folder, 'journal.jsonl'), 'utf8');
    const at = journal.indexOf('"type":"task-finished"');
    await truncate(path.join(folder, 'journal.jsonl'), journal.indexOf('\n', at) + 1);
    await writeFile(path.join(folder, 'confirmed'), '');
    const { code, page } = await report(state(first), folder);
    expect(code).to.equal(130);
    expect(outcomesOf(page)).to.include({ lb1: 'changed', lb2: 'cut off', lb4: 'not started' });
    expect(page.facts.commands).to.deep.equal([
      { purpose: 'continue shard 2/2 with', command: `evenkeel resume ${id}` },
    ]);
  });

  it('counts the newest run of a controller, and says so', async () => {
    const [first, second] = machines;
    await run(first, '--shard', '1/2');
    await run(second, '--shard', '2/2', ...BROKEN);
    const [failed = ''] = await readdir(path.join(state(second), 'runs'));
    await start(second, 'run', '--rerun', 'last', '-e', '{"broken": []}');
    const runs = [state(second), path.join(state(second), 'runs', failed), state(first)];
    const { code, stderr, page } = await report(...runs);
    expect(code).to.equal(2);
    expect(stderr).to.include('warning: several of these runs have lb4: the newest run of a controller counts\n');
    expect(outcomesOf(page)).to.include({ lb2: 'changed', lb4: 'ok' });
  });

  it('refuses runs that do not belong together, and what is no run', async () => {
    const [first, second, third] = machines;
    await run(first, '--shard', '1/2');
    await run(second, '--shard', '2/2', '--check');
    await run(third, '--shard', '2/3');
    const refusal = async (...runs: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await report(...runs);
      expect([code, stdout]).to.deep.equal([1, '']);
      return stderr;
    };
    expect(await refusal(events(first), events(second))).to.equal(
      `error: ${events(second)} is not a run like ${events(first)}: the playbooks, the environment or the mode differ\n` +
        '  = hint: one page shows runs of the same command\n\n1 error\n',
    );
    expect(await refusal(events(first), events(third))).to.equal(
      'error: these runs are not the shards of one fleet: 1/2, 2/3\n\n1 error\n',
    );
    expect(await refusal(state(first), events(first))).to.match(/ are the same run, \S+\n/);
    expect(await refusal(events(first), events(first))).to.match(/ are the same run, \S+\n/);
    expect(await refusal('./events.xml', 'last')).to.equal(
      'error: there is no file or folder ./events.xml\n\n1 error\n',
    );
    expect(await refusal('site.yml')).to.equal(
      'error: site.yml has no events of a run\n  = hint: such a file is written with --report json=FILE\n\n1 error\n',
    );
    expect(await refusal(first.directory)).to.include('is neither a state folder nor the folder of a run');
  });

  it('shows a run of the project as before, whatever its code', async () => {
    const [first] = machines;
    await run(first, '--shard', '1/2', ...BROKEN);
    const { code, stderr } = await start(first, 'report', 'last', '--out', 'page.html');
    expect([code, stderr]).to.deep.equal([0, 'the report is in page.html\n']);
    const printed = await start(first, 'report', 'last', '--out', '-');
    expect([printed.code, printed.stderr]).to.deep.equal([0, '']);
    expect(printed.stdout).to.match(/^<!doctype html>/);
  });
});
