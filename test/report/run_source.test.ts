import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Event } from '../../src/core/model/run/event.js';
import { journalFile, runFolder } from '../../src/record/journal/format/run_folders.js';
import { runSource } from '../../src/report/run_source.js';
import { EventMaker, masked } from '../rig/events.js';
import { inFolder } from '../rig/folder.js';
import { anIntent, beginRun } from '../rig/kept.js';

/** A run about one controller. */
async function keep(state: string, controller: string, route?: string): Promise<string> {
  const journal = await beginRun(state);
  const make = new EventMaker();
  const routes = route === undefined ? {} : { routes: { [route]: [0] } };
  for (const event of [make.runStarted(), make.playStarted([controller], routes)]) journal.keep(masked(event));
  await journal.intend(anIntent({ controller, target: controller }));
  for (const event of [make.taskFinished(controller, 'changed'), make.runFinished()]) journal.keep(masked(event));
  await journal.close();
  return journal.id;
}

/** What a source says, and the controllers of its events. */
async function shown(named: string, cwd: string, stateDirectory: string): Promise<unknown> {
  const source = await runSource(named, { cwd, stateDirectory });
  const about = new Set<string>();
  const detail = await source.read((event: Event) => {
    if (event.type === 'task-finished') about.add(event.controller);
  });
  const { isPath, refusal } = source;
  const { run, routes, writes } = detail ?? {};
  const written = writes?.map(({ target }) => target);
  return { named: source.named, isPath, refusal, run, routes, written, about: [...about] };
}

describe('the source of a report', () => {
  it('is the named one of two runs, in two projects, by its id, as the last, or by a path', () =>
    // A file may have the name of what means the newest run.
    inFolder({ last: '' }, async (cwd) => {
      const [here, there] = [path.join(cwd, 'here'), path.join(cwd, 'there')];
      const first = await keep(here, 'lb1', 'madrid');
      const last = await keep(here, 'lb2');
      const other = await keep(there, 'lb3');
      await keep(there, 'lb4', 'paris');
      const expected = (
        named: string,
        isPath: boolean,
        run: string,
        controller: string,
        route: string | undefined,
      ) => ({
        named,
        isPath,
        refusal: undefined,
        run,
        written: [controller],
        about: [controller],
        routes: route === undefined ? undefined : { [controller]: route },
      });
      const cases: readonly (readonly [
        named: string,
        isPath: boolean,
        run: string,
        controller: string,
        route?: string,
      ])[] = [
        [first, false, first, 'lb1', 'madrid'],
        [last, false, last, 'lb2'],
        ['last', false, last, 'lb2'],
        ['here', true, last, 'lb2'],
        [`here/runs/${first}`, true, first, 'lb1', 'madrid'],
        [`there/runs/${other}`, true, other, 'lb3'],
      ];
      for (const [named, ...about] of cases)
        expect(await shown(named, cwd, here), named).to.deep.equal(expected(named, ...about));
    }));

  it('is a file of the events of one run', () =>
    inFolder({}, async (cwd) => {
      for (const name of ['lb1', 'lb2']) {
        const id = await keep(cwd, name);
        const events = (await readFile(journalFile(runFolder(cwd, id)), 'utf8')).split('\n').filter(isEvent);
        await writeFile(path.join(cwd, `${name}.jsonl`), `${events.join('\n')}\n`);
      }
      for (const name of ['lb1', 'lb2'])
        expect(await shown(`${name}.jsonl`, cwd, cwd)).to.deep.include({
          named: `${name}.jsonl`,
          isPath: true,
          run: undefined,
          about: [name],
        });
      const text = await readFile(path.join(cwd, 'lb1.jsonl'), 'utf8');
      await writeFile(path.join(cwd, 'broken.jsonl'), text.replace('\n', '\nno event\n'));
      const said = await shown('broken.jsonl', cwd, cwd).catch(String);
      expect(said).to.match(/broken\.jsonl:2: /);
    }));

  it('is refused if there is none', () =>
    inFolder({ 'a/x': '' }, async (cwd) => {
      await keep(cwd, 'lb1');
      const problem = (named: string): Promise<string> =>
        runSource(named, { cwd, stateDirectory: cwd }).then(
          () => 'found',
          (error: unknown) => (error instanceof Error ? error.message : ''),
        );
      expect(await problem('b/x')).to.equal('there is no file or folder b/x');
      expect(await problem('a')).to.equal('a is neither a state folder nor the folder of a run');
      expect(await problem('nothing')).to.include('nothing');
      expect(await problem('')).to.equal('no run is named');
      expect(await problem('last')).to.equal('found');
    }));
});

/** Whether a line of a journal is an event, not a write. */
function isEvent(line: string): boolean {
  return line.includes('"type":"') && !/"type":"(?:write|step)-/.test(line);
}
