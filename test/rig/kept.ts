import { readFile } from 'node:fs/promises';
import type { Event } from '../../src/core/model/run/event.js';
import type { StepSettled, WriteIntended } from '../../src/core/model/run/journal.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { journalFile, nextRunId, runFolder } from '../../src/record/journal/format/run_folders.js';
import type { RunStart } from '../../src/record/journal/format/run_header.js';
import { withRun, type KeptRun, type RunReading } from '../../src/record/journal/read/read_run.js';
import type { RunJournal } from '../../src/record/journal/write/run_journal.js';
import { startJournal } from '../../src/record/journal/write/start_journal.js';
import { ownIdentity } from '../../src/record/locks/process_identity.js';

/** An arbitrary run. */
function aStart(fields: Partial<RunStart> = {}): RunStart {
  return {
    evenkeel: '0.0.0',
    command: 'run',
    argv: ['run', 'site.yml'],
    cwd: '/nowhere',
    check: false,
    simulated: false,
    environment: null,
    playbooks: ['site.yml'],
    process: ownIdentity(),
    ...fields,
  };
}

/** Starts the journal of a run in a folder. */
export async function beginRun(
  state: string,
  { start = {}, secrets = new Secrets(), id }: { start?: Partial<RunStart>; secrets?: Secrets; id?: string } = {},
): Promise<RunJournal> {
  return startJournal(state, id ?? (await nextRunId(state)), aStart(start), secrets);
}

/** Reads a run of that folder. */
export async function readKept<T>(
  state: string,
  id: string,
  use: (run: KeptRun) => T,
  reading: Partial<RunReading> = {},
): Promise<T> {
  return withRun(state, id, { process: ownIdentity(), ...reading }, (run) => Promise.resolve(use(run)));
}

/** The journal as it is on disk. */
export function journalOf(state: string, id: string): Promise<Buffer> {
  return readFile(journalFile(runFolder(state, id)));
}

const TIME = '2026-11-20T18:50:22.000Z';
const SOURCE = { file: 'site.yml', line: 3, column: 5 };

export function aWarning(message: string, run = 'a-run'): Event {
  return { type: 'warning', time: TIME, run, message };
}

export function aPlay(controllers: readonly string[], run = 'a-run'): Event {
  return {
    type: 'play-started',
    time: TIME,
    run,
    play: 'Site',
    controllers,
    strategy: 'host_pinned',
    tasks: 1,
    source: SOURCE,
  };
}

/** What the host of a controller of that name reaches. */
export function reaching(controller: string, user = 'admin'): WriteIntended['reached'] {
  return { url: `https://${controller}`, controller, account: `${user}@${controller}` };
}

export function anIntent(fields: Partial<WriteIntended> = {}): Omit<WriteIntended, 'write'> {
  return {
    type: 'write-intended',
    controller: 'lb1',
    place: '0:1',
    target: 'lb1',
    reached: reaching(fields.target ?? 'lb1'),
    play: 'Site',
    task: 'Cloud exists',
    module: 'cloud_present',
    source: SOURCE,
    object: 'cloud "edge"',
    method: 'POST',
    path: '/api/cloud/',
    name: 'edge',
    change: { kind: 'create', object: 'cloud "edge"', before: null, after: { name: 'edge', mtu: 1500 } },
    body: { name: 'edge', mtu: 1500 },
    ...fields,
  };
}

export function aStep(fields: Partial<StepSettled> = {}): StepSettled {
  return {
    type: 'step-settled',
    controller: 'lb1',
    place: '0:1',
    module: 'debug',
    title: 'Say',
    end: 'completed',
    counted: { status: 'ok' },
    ...fields,
  };
}
