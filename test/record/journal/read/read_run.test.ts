import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Event } from '../../../../src/core/model/run/event.js';
import { Secrets } from '../../../../src/core/secrets/secrets.js';
import { runFolder } from '../../../../src/record/journal/format/run_folders.js';
import { isReaderMark } from '../../../../src/record/journal/format/run_header.js';
import { openRun, withRun } from '../../../../src/record/journal/read/read_run.js';
import type { RunJournal } from '../../../../src/record/journal/write/run_journal.js';
import { ownIdentity } from '../../../../src/record/locks/process_identity.js';
import { EventMaker, masked } from '../../../rig/events.js';
import { inFolder } from '../../../rig/folder.js';
import { anIntent, beginRun, readKept, reaching } from '../../../rig/kept.js';

const ADDRESS = { type: 'controller-reached', url: 'https://lb1' } as const;

/** Keeps a run, and passes on where it is. */
function kept<T>(
  keep: (journal: RunJournal) => Promise<void>,
  use: (state: string, id: string) => Promise<T>,
): Promise<T> {
  return inFolder({}, async (state) => {
    const journal = await beginRun(state);
    await keep(journal);
    await journal.close();
    return use(state, journal.id);
  });
}

const finish = (
  journal: RunJournal,
  write: number,
  outcome: 'applied' | 'refused' | 'unknown',
  more: object = {},
): void => {
  journal.record({ type: 'write-finished', write, controller: 'lb1', outcome, ...more });
};

describe('a kept run', () => {
  it('shows what can be read of its writes without the key', () =>
    kept(
      async (journal) => {
        const first = await journal.intend(anIntent({ controller: 'lb1', target: 'lb9', method: 'PUT' }));
        finish(journal, first, 'applied');
        await journal.intend(anIntent({ task: 'Other', module: 'm', object: 'x "y"', hidden: true }));
      },
      async (state, id) => {
        const [one, two] = await readKept(state, id, (run) => run.shownWrites());
        expect(one).to.deep.equal({
          controller: 'lb1',
          target: 'lb9',
          task: 'Cloud exists',
          module: 'cloud_present',
          object: 'cloud "edge"',
          method: 'PUT',
          outcome: 'applied',
        });
        expect([two?.controller, two?.target, two?.module, two?.object, two?.outcome]).to.deep.equal([
          'lb1',
          'lb1',
          'm',
          undefined,
          'unknown',
        ]);
      },
    ));

  it('has the parts of writes that must be masked, and what can be shown instead', () =>
    inFolder({}, async (state) => {
      const secrets = new Secrets();
      for (const secret of ['hunter22', 'hunter33', 'hunter44', 'hunter55', 'hunter66']) secrets.add(secret);
      const journal = await beginRun(state, { secrets });
      const intent = anIntent({
        ...{ object: 'cloud "hunter22"', tenant: 'hunter33', path: '/api/hunter44', name: 'hunter55' },
        reached: { ...reaching('lb1'), url: 'https://gateway/hunter66' },
      });
      await journal.intend(intent);
      await journal.intend({ ...intent, hidden: true });
      await journal.close();
      const [open, hidden] = await readKept(state, journal.id, (run) => run.writes());
      expect(open?.shown).to.deep.equal({ object: 'cloud "********"', path: '/api/********' });
      expect(open?.masked).to.deep.equal([
        ...['cloud "hunter22"', 'hunter33', '/api/hunter44', 'hunter55', 'https://gateway/hunter66'],
      ]);
      // A rollback names the address of a hidden write, too.
      expect(hidden).to.deep.include({ shown: {}, masked: ['https://gateway/hunter66'] });
    }));

  it('says which of its writes a gate has undone, and with which', () =>
    kept(
      async (journal) => {
        const write = async (object: string, place = '0:1', outcome: 'applied' | 'refused' = 'applied') => {
          const hidden = object.startsWith('hidden') ? { hidden: true } : {};
          finish(journal, await journal.intend(anIntent({ object, place, ...hidden })), outcome);
        };
        for (const object of ['restored', 'refused', 'created', 'hidden', 'hidden too']) await write(object);
        journal.record({ type: 'steps-forgotten', controller: 'lb1', place: '0:' });
        await write('restored', '0:rollback/1/0');
        await write('hidden', '0:rollback/1/0');
        await write('refused', '0:rollback/1/0', 'refused');
        await write('restored', '0:1');
      },
      async (state, id) => {
        const shown = await readKept(state, id, (run) => run.shownWrites());
        expect(shown.map(({ object, undone = false }) => [object, undone])).to.deep.equal([
          ['restored', true],
          ['refused', false],
          ['created', false],
          [undefined, true],
          [undefined, false],
          ['restored', true],
          [undefined, true],
          ['refused', true],
          ['restored', false],
        ]);
        await rm(path.join(state, 'key'));
        const unknown = await readKept(state, id, (run) => run.shownWrites());
        expect(unknown.map(({ undone = false }) => undone)).to.deep.equal([
          ...[true, false, false, false, false, true, true, true, false],
        ]);
      },
    ));

  it('has the writes that may still take effect, where they went', () =>
    kept(
      async (journal) => {
        for (const [controller, url] of [
          ['lb1', 'https://play'],
          ['lb1', 'https://lb1'],
          ['lb2', 'https://lb2'],
        ] as const)
          journal.record({ ...ADDRESS, controller, url });
        const write = (fields: Parameters<typeof anIntent>[0]): Promise<number> => journal.intend(anIntent(fields));
        await write({ object: 'cloud "a"' });
        await write({ object: 'cloud "b"', target: 'lb2' });
        finish(journal, await write({ object: 'cloud "c"' }), 'applied');
        finish(journal, await write({ object: 'cloud "d"' }), 'refused');
        finish(journal, await write({ object: 'cloud "e"' }), 'unknown', { answered: true });
        finish(journal, await write({ object: 'cloud "f"' }), 'unknown');
        await write({ object: 'cloud "g"', reached: reaching('other') });
      },
      async (state, id) => {
        const found = await readKept(state, id, (run) => [run.unsettled(), [...run.reached()]] as const);
        expect(found[0].map(({ place, object }) => [place, object])).to.deep.equal([
          ['https://lb1', 'cloud "a"'],
          ['https://lb2', 'cloud "b"'],
          ['https://lb1', 'cloud "f"'],
          ['https://other', 'cloud "g"'],
        ]);
        for (const { time } of found[0]) expect(time).to.be.within(Date.now() - 60_000, Date.now());
        expect(found[1]).to.deep.equal([
          ['lb1', { url: 'https://play', shown: 'https://play' }],
          ['lb2', { url: 'https://lb2', shown: 'https://lb2' }],
        ]);
      },
    ));

  it('counts a write as sent when the run gave it up, or sent it to the controller again', () => {
    let again = '';
    const until = new Map<string, number>();
    return kept(
      async (journal) => {
        const late = await journal.intend(anIntent({ object: 'late' }));
        again = new Date().toISOString();
        journal.keep(masked({ ...new EventMaker().requestRetried('lb2', 3600, 'answered 503'), time: again }));
        until.set('late', Date.now());
        while (Date.now() === until.get('late')) await new Promise(setImmediate);
        finish(journal, late, 'unknown');
        await journal.intend(anIntent({ object: 'alone' }));
        await journal.intend(anIntent({ object: 'again', target: 'lb2' }));
      },
      async (state, id) => {
        const found = await readKept(state, id, (run) => run.unsettled());
        const times = new Map(found.map(({ object, time }) => [object, time]));
        expect(times.get('late')).to.be.above(until.get('late') ?? Infinity);
        expect(times.get('alone')).to.be.within(until.get('late') ?? Infinity, Date.now());
        expect(times.get('again')).to.equal(Date.parse(again) + 3_600_000);
      },
    );
  });

  it('counts a write as sent just now if another machine sent it, whose clock may be wrong', async () => {
    const own = ownIdentity();
    for (const [process, isNow] of [
      [own, false],
      [{ ...own, space: 'a container' }, false],
      [{ ...own, host: 'another', boot: 'another' }, true],
    ] as const)
      await inFolder({}, async (state) => {
        const journal = await beginRun(state, { start: { process } });
        await journal.intend(anIntent());
        await journal.close();
        const now = Date.now() + 1;
        while (Date.now() < now) await new Promise(setImmediate);
        const [write] = await readKept(state, journal.id, (run) => run.unsettled());
        expect((write?.time ?? 0) >= now).to.equal(isNow);
      });
  });

  it('counts a write without an end as sent when the run last did anything, or its controller let it go on', () =>
    kept(
      async (journal) => {
        const make = new EventMaker();
        for (const [controller, url] of [
          ['lb1', 'https://one'],
          ['other-name', 'https://one'],
          ['lb2', 'https://two'],
        ] as const)
          journal.record({ ...ADDRESS, controller, url });
        await journal.intend(anIntent({ object: 'paused', reached: reaching('one') }));
        await journal.intend(anIntent({ object: 'waiting', target: 'lb2', reached: reaching('two') }));
        journal.keep(masked({ ...make.throttled('other-name', 429, 55), time: '2100-01-01T00:00:00.000Z' }));
        journal.keep(masked({ ...make.taskFinished('lb3', 'ok'), time: '2100-01-01T00:00:20.000Z' }));
      },
      async (state, id) => {
        const found = await readKept(state, id, (run) => run.unsettled());
        expect(found.map(({ object, time }) => [object, new Date(time).toISOString()])).to.deep.equal([
          ['paused', '2100-01-01T00:00:55.000Z'],
          ['waiting', '2100-01-01T00:00:20.000Z'],
        ]);
      },
    ));

  it('has the answer to a write, and what was seen after it', () =>
    kept(
      async (journal) => {
        const answer = { status: 200, body: { a: 1 } };
        finish(journal, await journal.intend(anIntent()), 'applied', { answer });
        const second = await journal.intend(anIntent({ object: 'cloud "b"' }));
        journal.record({ type: 'write-verified', write: second, controller: 'lb1', seen: { b: 1 } });
      },
      async (state, id) => {
        const writes = await readKept(state, id, (run) => run.writes());
        expect(writes.map(({ intent, outcome, answer, seen }) => [intent.object, outcome, answer, seen])).to.deep.equal(
          [
            ['cloud "edge"', 'applied', { status: 200, body: { a: 1 } }, undefined],
            ['cloud "b"', 'unknown', undefined, { b: 1 }],
          ],
        );
      },
    ));

  for (const isEnded of [true, false])
    it(
      isEnded
        ? 'is read without its tasks if that is asked'
        : 'is read with its tasks, whatever is asked, if it has not ended',
      () =>
        kept(
          (journal) => {
            const make = new EventMaker();
            const events = [
              make.playStarted(['lb1']),
              make.taskFinished('lb1', 'ok'),
              ...(isEnded ? [make.runFinished()] : []),
            ];
            for (const event of events) journal.keep(masked(event));
            return Promise.resolve();
          },
          async (state, id) => {
            const types = async (withoutTasks?: boolean): Promise<readonly string[]> => {
              const seen: Event[] = [];
              const onEvent = (event: Event): number => seen.push(event);
              await readKept(state, id, () => undefined, {
                onEvent,
                ...(withoutTasks !== undefined && { withoutTasks }),
              });
              return seen.map(({ type }) => type);
            };
            const end = isEnded ? ['run-finished'] : [];
            for (const all of [undefined, false])
              expect(await types(all)).to.deep.equal(['play-started', 'task-finished', ...end]);
            expect(await types(true)).to.deep.equal(['play-started', ...(isEnded ? [] : ['task-finished']), ...end]);
          },
        ),
    );

  it('is marked as read until it is released, or cannot be read', () =>
    kept(
      () => Promise.resolve(),
      async (state, id) => {
        const marks = async (): Promise<number> => (await readdir(runFolder(state, id))).filter(isReaderMark).length;
        const process = ownIdentity();
        const { run, release } = await openRun(state, id, { process });
        expect([run.header.id, await marks()]).to.deep.equal([id, 1]);
        expect(await withRun(state, id, { process }, marks)).to.equal(2);
        await release();
        expect(await marks()).to.equal(0);
        const broken = withRun(state, id, { process }, () => Promise.reject(new Error('no')));
        expect(await broken.catch((error: unknown) => String(error))).to.equal('Error: no');
        expect(await marks()).to.equal(0);
        await writeFile(path.join(runFolder(state, id), 'run.json'), '{');
        expect(await openRun(state, id, { process }).then(Boolean, () => 'refused')).to.equal('refused');
        expect(await marks()).to.equal(0);
      },
    ));
});
