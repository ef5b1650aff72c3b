import { readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { readTaskTexts } from '../../../src/launch/history/task_texts.js';
import { openRecord, type RunRecord } from '../../../src/launch/start/run_record.js';
import { ProjectSources } from '../../../src/project/document/project_sources.js';
import { JournalError } from '../../../src/record/journal/format/run_folders.js';
import { readHeader } from '../../../src/record/journal/format/run_header.js';
import { withRun } from '../../../src/record/journal/read/read_run.js';
import { accountName, ownIdentity } from '../../../src/record/locks/process_identity.js';
import { EventMaker } from '../../rig/events.js';
import { inFolder } from '../../rig/folder.js';
import { readKept } from '../../rig/kept.js';

type Run = Parameters<typeof openRecord>[0];

const ID = '20260101T000000Z-000001';

interface GivenRecord {
  /** Hears each event of the record. */
  readonly heard?: (event: Event) => void;
  readonly request?: object;
  readonly target?: object;
  readonly journalOptions?: object;
  readonly playbooks?: readonly unknown[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Opened {
  readonly record: RunRecord;
  readonly seen: Event[];
  /** What happens if the process exits early. */
  readonly exits: Set<() => void>;
  readonly notices: readonly string[];
}

const SECRETS = (): Secrets => {
  const secrets = new Secrets();
  secrets.add('hunter22');
  return secrets;
};

async function opened(state: string, given: GivenRecord = {}): Promise<Opened> {
  const {
    request = {},
    target = {},
    journalOptions = {},
    playbooks = [{ file: 'site.yml', plays: [] }],
    env = {},
  } = given;
  const secrets = SECRETS();
  const run = {
    request: { command: { type: 'run', playbooks: ['site.yml'] }, ...request },
    loaded: {
      target: { secrets, project: { stateDirectory: state }, ...target },
      playbooks,
      reads: new ProjectSources(),
    },
    journalOptions,
  } as unknown as Run;
  const [seen, exits, notices] = [[] as Event[], new Set<() => void>(), [] as string[]];
  const { signal } = new AbortController();
  const record = await openRecord(run, ID, {
    cwd: path.dirname(state),
    env,
    version: '1.2.3',
    caller: { name: 'evenkeel run', command: 'run', argv: (known) => ['run', known.mask('-e a=hunter22')] },
    signals: {
      drain: signal,
      abort: signal,
      atExit: (act) => {
        exits.add(act);
        return () => exits.delete(act);
      },
    },
    report: { notice: (message) => notices.push(message) },
    emit: (event) => {
      seen.push(event);
      given.heard?.(event);
    },
  });
  return { record, seen, exits, notices };
}

const SITE = '- hosts: all\n  tasks:\n    - name: One\n      debug: { msg: hunter22 }\n    - name: Two\n      debug:\n';
const at = (line: number) => ({ file: 'site.yml', line, column: 7 });

describe('the record of a run', () => {
  const make = new EventMaker();

  it('masks each event once, keeps it, and passes it on', () =>
    inFolder({ 'site.yml': SITE }, async (cwd) => {
      const state = path.join(cwd, 'state');
      const { record, seen, exits } = await opened(state);
      expect(exits.size).to.equal(1);
      const events = [
        make.runStarted(),
        make.playStarted(['lb1', 'lb2']),
        make.taskFinished('lb1', 'ok', { task: 'One', module: 'debug', source: at(3), message: 'it is hunter22' }),
        make.taskFinished('lb2', 'ok', { task: 'One', module: 'debug', source: at(3) }),
        make.taskFinished('lb2', 'ok', { task: 'Two', module: 'debug', source: at(5) }),
        make.runFinished(),
      ];
      for (const event of events) record.emit(event);
      await record.close();
      expect(exits.size).to.equal(0);
      expect(seen.map(({ type }) => type)).to.deep.equal(events.map(({ type }) => type));
      expect(seen[2]).to.deep.include({ message: 'it is ********' });
      const kept: Event[] = [];
      await withRun(state, ID, { process: ownIdentity(), onEvent: (event) => kept.push(event) }, () =>
        Promise.resolve(),
      );
      expect(kept).to.deep.equal(JSON.parse(JSON.stringify(seen)));
      const texts = await readTaskTexts(path.join(state, 'runs', ID));
      expect([...texts.values()].map(({ first, lines }) => [first, lines[0]])).to.deep.equal([
        [3, '    - name: One'],
        [5, '    - name: Two'],
      ]);
      expect(JSON.stringify([...texts]))
        .to.include('********')
        .and.not.include('hunter22');
    }));

  it('begins with who runs what, and why', () =>
    inFolder({}, async (cwd) => {
      const state = path.join(cwd, 'state');
      const { record } = await opened(state, {
        request: { check: true, simulate: true, reason: 'is hunter22', ticket: 'CHG-hunter22' },
        target: { environmentName: 'prod', shard: { index: 2, count: 4 } },
        journalOptions: { undoes: 'X', fingerprint: { version: '1.2.3' }, playbooks: ['other.yml'] },
        env: { SUDO_USER: 'ann' },
      });
      await record.close();
      const { header } = await readHeader(state, ID);
      expect(header).to.deep.include({
        id: ID,
        evenkeel: '1.2.3',
        command: 'run',
        argv: ['run', '-e a=********'],
        cwd,
        check: true,
        simulated: true,
        environment: 'prod',
        shard: '2/4',
        playbooks: ['other.yml'],
        undoes: 'X',
        process: ownIdentity(),
        author: {
          user: `ann (as ${accountName()})`,
          host: hostname(),
          reason: 'is ********',
          ticket: 'CHG-********',
        },
      });
      const inputs = await readKept(state, ID, (run) => run.inputs());
      expect(inputs).to.deep.equal({ playbooks: ['other.yml'], fingerprint: { version: '1.2.3' } });
    }));

  it('names the account if nobody else typed the command, and the playbooks that were loaded', () =>
    inFolder({}, async (cwd) => {
      for (const [at, env] of [{}, { SUDO_USER: '' }, { SUDO_USER: accountName() }].entries()) {
        const state = path.join(cwd, `state${at}`);
        await (await opened(state, { env })).record.close();
        const { header } = await readHeader(state, ID);
        expect(header.author).to.deep.equal({ user: accountName(), host: hostname() });
        expect(header).to.deep.include({ playbooks: ['site.yml'], check: false, simulated: false, environment: null });
        expect(header).to.not.have.any.keys('undoes', 'shard');
      }
    }));

  it('of a single task has no texts, because the task is in no file', () =>
    inFolder({ 'site.yml': SITE }, async (cwd) => {
      const state = path.join(cwd, 'state');
      const { record } = await opened(state, {
        request: { command: { type: 'task', pattern: 'all', module: 'debug' } },
      });
      record.emit(make.taskFinished('lb1', 'ok', { task: 'One', module: 'debug', source: at(3) }));
      await record.close();
      expect(await readdir(path.join(state, 'runs', ID))).to.not.include('tasks.json');
    }));

  it('is none where nothing is kept', () =>
    inFolder({}, async (cwd) => {
      const state = path.join(cwd, 'state');
      for (const given of [{ request: { state: false } }, { journalOptions: { isKept: false } }]) {
        const { record, seen, exits } = await opened(state, given);
        expect(record.journal).to.equal(undefined);
        record.emit(make.runStarted());
        await record.close();
        expect(exits.size).to.equal(0);
        expect(seen).to.have.lengthOf(1);
        expect(await readdir(cwd)).to.deep.equal([]);
      }
    }));

  it('keeps its events if the process exits early', () =>
    inFolder({}, async (cwd) => {
      const state = path.join(cwd, 'state');
      const { record, exits } = await opened(state);
      record.emit(make.warning('before'));
      for (const act of exits) act();
      expect(await readFile(path.join(state, 'runs', ID, 'journal.jsonl'), 'utf8')).to.include('"message":"before"');
      await record.close();
    }));

  it('names the tasks that a process leaves that ends early, and how to continue', () =>
    inFolder({}, async (cwd) => {
      for (const [check, next] of [
        [false, `; continue with: evenkeel resume ${ID}`],
        [true, ''],
      ] as const) {
        const { record, exits, notices } = await opened(path.join(cwd, String(check)), { request: { check } });
        for (const name of ['lb1', 'lb2', 'lb3']) record.emit(make.taskStarted(name, 'hunter22'));
        record.emit(make.taskFinished('lb2', 'ok', { task: 'hunter22' }));
        record.emit(make.taskFinished('lb3', 'ok', { task: 'hunter22', item: '1' }));
        for (const act of exits) act();
        expect(notices).to.deep.equal([`not finished: "********" on 2 controllers: lb1, lb3${next}`]);
        await record.close();
      }
    }));

  it('keeps the texts of its tasks for pages while it runs, once a second', () =>
    inFolder({ 'site.yml': SITE }, async (cwd) => {
      const state = path.join(cwd, 'state');
      const { record } = await opened(state);
      const later = new EventMaker(Date.now() + 10_000);
      const task = (name: string, line: number): Event =>
        later.taskFinished('lb1', 'ok', { task: name, module: 'debug', source: at(line) });
      const kept = async (): Promise<number> => {
        for (let tries = 0; tries < 300; tries += 1)
          if ((await readTaskTexts(path.join(state, 'runs', ID))).size > 0) return tries;
        return Infinity;
      };
      record.emit(task('One', 3));
      record.emit(task('Two', 5));
      expect(await kept()).to.be.lessThan(300);
      expect((await readTaskTexts(path.join(state, 'runs', ID))).size).to.be.at.least(1);
      await record.close();
      expect((await readTaskTexts(path.join(state, 'runs', ID))).size).to.equal(2);
    }));

  describe('that cannot be made', () => {
    const writing = [{ file: 'site.yml', plays: [] }];

    it('is a warning after the first event of a run that writes nothing', () =>
      inFolder({}, async (cwd) => {
        const state = path.join(cwd, 'state');
        await writeFile(state, '');
        for (const [request, what] of [
          [{ readOnly: true, check: true }, 'nothing'],
          [{ simulate: true }, 'to no real controller'],
        ] as const) {
          const { record, seen } = await opened(state, { request, playbooks: writing });
          expect(record.journal).to.equal(undefined);
          for (const event of [make.runStarted(), make.warning('own'), make.runFinished()]) record.emit(event);
          await record.close();
          expect(seen.map(({ type }) => type)).to.deep.equal(['run-started', 'warning', 'warning', 'run-finished']);
          const [, warning] = seen;
          if (warning?.type !== 'warning') return expect.fail('no warning');
          expect(warning.run).to.equal(ID);
          expect(warning.message).to.match(new RegExp(`; the run continues because it writes ${what}$`));
        }
      }));

    it('is told once, also to a program that interrupts the run at it', () =>
      inFolder({}, async (cwd) => {
        const state = path.join(cwd, 'state');
        await writeFile(state, '');
        let interrupt = (): void => undefined;
        const heard = (event: Event): void => {
          if (event.type === 'warning') interrupt();
        };
        const { record, seen } = await opened(state, { request: { readOnly: true, check: true }, heard });
        interrupt = () => {
          interrupt = () => undefined;
          record.emit(make.runFinished());
        };
        record.emit(make.runStarted());
        await record.close();
        expect(seen.map(({ type }) => type)).to.deep.equal(['run-started', 'warning', 'run-finished']);
      }));

    it('refuses a run that may write', () =>
      inFolder({}, async (cwd) => {
        const state = path.join(cwd, 'state');
        await writeFile(state, '');
        const rollback = { command: { type: 'rollback', run: 'X', allowLockout: false } };
        const error: unknown = await opened(state, { request: rollback }).catch((thrown: unknown) => thrown);
        if (!(error instanceof JournalError)) return expect.fail(String(error));
        expect(error.message).to.match(/: nothing was contacted$/);
        expect(error.hint).to.equal(
          'Evenkeel keeps every run that may write; state_dir in evenkeel.yml, or EVENKEEL_STATE_DIR, names another folder',
        );
      }));
  });
});
