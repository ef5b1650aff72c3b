import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { RunJournal } from '../../src/record/journal/write/run_journal.js';
import { readPage } from '../../src/reporting/page/format/page.js';
import { LiveRuns } from '../../src/ui/live_runs.js';
import { EventMaker, masked } from '../rig/events.js';
import { inFolder } from '../rig/folder.js';
import { beginRun } from '../rig/kept.js';

const id = (number: number): string => `2026010${number}T000000Z-000001`;

/** What a browser gets of a stream. */
class Browser extends EventEmitter {
  readonly events: Readonly<Record<string, string>>[] = [];
  head: readonly unknown[] = [];
  writableLength = 0;
  destroyed = false;
  isEnded = false;

  writeHead(...head: readonly unknown[]): void {
    this.head = head;
  }

  write(text: string): void {
    const lines = text.slice(0, -2).split('\n');
    this.events.push(
      Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
      ),
    );
  }

  end(text?: string): void {
    if (text !== undefined) this.write(text);
    this.isEnded = true;
  }

  destroy(): void {
    this.destroyed = true;
  }

  get response(): ServerResponse {
    // Has what is used of one.
    return this as unknown as ServerResponse;
  }
}

describe('the runs that browsers watch', () => {
  const make = new EventMaker();
  const keep = (journal: RunJournal, ...events: readonly Parameters<typeof masked>[0][]): void => {
    for (const event of events) journal.keep(masked(event));
    journal.flush();
  };
  const within = (use: (state: string, live: LiveRuns) => Promise<void>): Promise<void> =>
    inFolder({}, async (state) => {
      const live = new LiveRuns(state);
      try {
        await use(state, live);
      } finally {
        await live.close();
      }
    });

  it('have a new version after each change, and the steps from one to the other', async () => {
    await within(async (state, live) => {
      const failed = await live.open(id(1)).then(
        () => '',
        (error: unknown) => String(error),
      );
      expect(failed).to.include(id(1));
      const journal = await beginRun(state, { id: id(1) });
      keep(journal, make.runStarted(), make.playStarted(['lb1']));
      const run = await live.open(id(1));
      const first = run.version;
      expect([(await live.open(id(1))) === run, run.version === first, run.isOver]).to.deep.equal([true, true, false]);
      keep(journal, make.taskFinished('lb1', 'changed'));
      await live.open(id(1));
      keep(journal, make.taskFinished('lb1', 'ok', { task: 'Two', source: { file: 'a.yml', line: 9, column: 1 } }));
      await live.open(id(1));
      expect(run.version).to.equal(first + 2);
      const versions = (from: number) => run.since(from)?.map(({ version }) => version);
      expect([first + 2, first + 1, first, first - 1, first - 2, first + 9].map(versions)).to.deep.equal([
        [],
        [first + 2],
        [first + 1, first + 2],
        [first, first + 1, first + 2],
        undefined,
        undefined,
      ]);
      expect(run.since(first)?.every(({ delta }) => delta !== undefined)).to.equal(true);
      expect(readPage(Uint8Array.from(run.packed ?? [])).columns.map(({ task }) => task)).to.deep.equal([
        'Create the cloud',
        'Two',
      ]);
      await journal.close();
    });
  });

  it('are over with the run, and say which rollback undid it', async () => {
    await within(async (state, live) => {
      const journal = await beginRun(state, { id: id(1) });
      keep(
        journal,
        make.runStarted(),
        make.playStarted(['lb1']),
        make.runFinished({ status: 'interrupted', exitCode: 130 }),
      );
      await journal.close();
      const run = await live.open(id(1));
      const page = (): string => JSON.stringify(readPage(Uint8Array.from(run.packed ?? [])));
      const { version } = run;
      expect([run.isOver, page().includes(`resume ${id(1)}`)]).to.deep.equal([true, true]);
      await live.open(id(1));
      expect(run.version).to.equal(version);
      await (await beginRun(state, { id: id(2), start: { undoes: id(1) } })).close();
      await live.open(id(1));
      expect(run.version).to.equal(version + 1);
      expect(page()).to.not.include(`resume ${id(1)}`);
    });
  });

  it('that applied a plan in part have no rerun, because the plan is stale', async () => {
    await within(async (state, live) => {
      const commands = async (
        name: string,
        ...statuses: readonly ('changed' | 'failed' | 'unreachable')[]
      ): Promise<unknown> => {
        const one = new EventMaker();
        const journal = await beginRun(state, { id: name, start: { command: 'apply' } });
        const done = statuses.map((status, at) => one.taskFinished('lb1', status, { task: `Task ${at}` }));
        // A gate without any controller: all of them are stale.
        const end = [one.gateStarted([]), one.runFinished({ status: 'failed', exitCode: done.length > 0 ? 2 : 6 })];
        keep(journal, one.runStarted(), one.playStarted(['lb1']), ...done, ...end);
        await journal.close();
        const page = readPage(Uint8Array.from((await live.open(name)).packed ?? []));
        return page.facts.commands?.map(({ command }) => command);
      };
      expect(await commands(id(1), 'unreachable')).to.deep.equal([`evenkeel run --rerun ${id(1)}`]);
      expect(await commands(id(2), 'changed', 'failed')).to.deep.equal([]);
      expect(await commands(id(3))).to.deep.equal([]);
    });
  });

  it('send each step to all their browsers, and to no others', async () => {
    await within(async (state, live) => {
      const [journal, other] = [await beginRun(state, { id: id(1) }), await beginRun(state, { id: id(2) })];
      for (const one of [journal, other]) keep(one, make.runStarted(), make.playStarted(['lb1']));
      const { version } = await live.open(id(1));
      const [now, old, gone, left, elsewhere] = [
        new Browser(),
        new Browser(),
        new Browser(),
        new Browser(),
        new Browser(),
      ];
      await live.follow(id(1), version, now.response);
      await live.follow(id(1), 7, old.response);
      await live.follow(id(1), version, left.response);
      gone.destroyed = true;
      await live.follow(id(1), version, gone.response);
      await live.follow(id(2), 7, elsewhere.response);
      expect(now.head).to.deep.equal([200, { 'Content-Type': 'text/event-stream; charset=utf-8' }]);
      expect([gone.head, now.events, old.events]).to.deep.equal([
        [],
        [],
        [{ id: String(version), event: 'reload', data: '' }],
      ]);
      left.emit('close');
      keep(journal, make.taskFinished('lb1', 'changed'));
      await live.open(id(1));
      for (const browser of [now, old])
        expect(browser.events.at(-1)).to.include({ id: String(version + 1), event: 'delta' });
      expect([now.events.length, left.events.length, gone.events.length, elsewhere.events.length]).to.deep.equal([
        1, 0, 0, 1,
      ]);
      // One that does not keep up has to read the page again.
      now.writableLength = 16 * 1024 * 1024 + 1;
      old.writableLength = 16 * 1024 * 1024;
      keep(journal, make.runFinished());
      await journal.close();
      await live.open(id(1));
      expect([now.destroyed, now.isEnded, now.events.length]).to.deep.equal([true, false, 1]);
      expect([old.destroyed, old.isEnded]).to.deep.equal([false, true]);
      expect(old.events.at(-1)).to.deep.equal({ event: 'over', data: String(version + 2) });
      expect([elsewhere.isEnded, elsewhere.events.length]).to.deep.equal([false, 1]);
      const late = new Browser();
      await live.follow(id(1), version + 2, late.response);
      await live.open(id(1));
      expect(late.events).to.deep.equal([{ event: 'over', data: String(version + 2) }]);
      await other.close();
      await live.close();
      expect(elsewhere.isEnded).to.equal(true);
    });
  });

  it('are four at most, unless more have browsers; the one that was used last stays', async () => {
    await within(async (state, live) => {
      const numbers = [1, 2, 3, 4, 5, 6];
      for (const number of numbers) {
        const journal = await beginRun(state, { id: id(number) });
        keep(journal, make.runStarted(), make.playStarted(['lb1']));
        await journal.close();
      }
      const runs: unknown[] = [];
      for (const number of [1, 2, 3, 4]) runs.push(await live.open(id(number)));
      const watched = new Browser();
      await live.follow(id(2), 7, watched.response);
      // The one that was opened first.
      for (const number of [3, 4, 1, 5]) await live.open(id(number));
      const same = async (number: number) => (await live.open(id(number))) === runs[number - 1];
      expect([await same(2), await same(4), await same(1)]).to.deep.equal([true, true, true]);
      expect(await same(3)).to.equal(false);
    });
  });
});
