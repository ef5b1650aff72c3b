import { spawn } from 'node:child_process';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { Stats } from '../../../src/core/model/run/result.js';
import { ansiblePath, ansiblePython, COLUMN, type Column } from '../../rig/ansible.js';
import { recapOf, roundsOf, type Answer, type ToolEvent } from './answer.js';
import { inCaseFolders, type Prepared } from './case_folder.js';
import type { Case } from './cases.js';
import { commonLabel, commonWords } from './common_words.js';

const DRIVER = path.resolve(import.meta.dirname, '../ansible/driver.py');

/** Number of parallel playbooks; more would only compete for the processors. */
const WORKERS = 3;

/** Actions of the play itself; Ansible reports them as tasks, but does not count them. */
const UNCOUNTED = new Set(['meta']);

/** What the callback writes, `callback/recorder.py`. */
type Recorded =
  | { readonly type: 'play'; readonly name: string }
  | { readonly type: 'task'; readonly name: string; readonly uuid: string; readonly handler: boolean }
  | RecordedResult
  | { readonly type: 'recap'; readonly hosts: Readonly<Record<string, Stats>> }
  | { readonly type: 'include' | 'notify' | 'retry' | 'no-hosts-matched' | 'no-hosts-remaining' };

interface RecordedResult {
  readonly type: 'result';
  readonly host: string;
  readonly task: string;
  readonly uuid: string;
  readonly action: string;
  readonly status: string;
  readonly ignored?: boolean;
  readonly item: string | null;
  readonly said: unknown;
}

interface Run {
  readonly exit: number;
  readonly events: readonly Recorded[];
  readonly output: string;
}

/** Runs the cases with the installed Ansible; the answers are in the order of the cases. */
export function ansibleAnswers(cases: readonly Case[], column: Column = COLUMN): Promise<readonly Answer[]> {
  return inCaseFolders(cases, async (prepared) => {
    const runs = await drive(prepared, column);
    return runs.map((run, index) => answerOf(run, prepared[index]?.folder ?? ''));
  });
}

async function drive(runs: readonly Prepared[], column: Column): Promise<readonly Run[]> {
  // Ansible insists on UTF-8, the order of Python's sets is chance without a seed, and a user's own settings are none of ours.
  const env = { PATH: ansiblePath(column), LC_ALL: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0' };
  const driver = spawn(ansiblePython(column), [DRIVER], { stdio: 'pipe', env });
  driver.stdin.end(JSON.stringify({ workers: WORKERS, runs }));
  const [stdout, stderr] = await Promise.all([textOf(driver.stdout), textOf(driver.stderr)]);
  if (stdout === '') throw new Error(`Ansible could not be driven: ${stderr}`);
  return JSON.parse(stdout) as readonly Run[];
}

function answerOf({ exit, events }: Run, folder: string): Answer {
  const found = toolEvents(events, folder);
  const recap = events.findLast((event) => event.type === 'recap');
  return {
    refused: (exit === 1 || exit === 4 || exit === 250) && recap === undefined,
    exit,
    rounds: roundsOf(found),
    recap: recapOf(recap?.hosts ?? {}),
  };
}

function toolEvents(events: readonly Recorded[], folder: string): readonly ToolEvent[] {
  const started = new Map<string, { readonly name: string; readonly handler: boolean }>();
  return events.filter(isFinal).flatMap((event): readonly ToolEvent[] => {
    if (event.type === 'play') return [{ type: 'play', name: event.name }];
    if (event.type === 'task') started.set(event.uuid, event);
    if (event.type !== 'result' || UNCOUNTED.has(event.action)) return [];
    const { name = event.task, handler = false } = started.get(event.uuid) ?? {};
    return [{ type: 'outcome', kind: handler ? 'HANDLER' : 'TASK', task: plainName(name), ...outcome(event, folder) }];
  });
}

/** Ansible reports an include as done before it looks for the file, and again if the file does not exist. */
function isFinal(event: Recorded, index: number, events: readonly Recorded[]): boolean {
  if (event.type !== 'result' || event.item !== null || !event.action.startsWith('include_')) return true;
  return !events.some(
    (later, place) =>
      place > index &&
      later.type === 'result' &&
      later.uuid === event.uuid &&
      later.host === event.host &&
      later.status === 'failed',
  );
}

/** A task without a name has that of its module; in Evenkeel, the short name. */
function plainName(name: string): string {
  return name.replace(/^ansible\.(builtin|legacy)\./, '');
}

function outcome({ host, status, ignored, item, said }: RecordedResult, folder: string) {
  return {
    host,
    status: ignored === true ? `${status} ignored` : status,
    said: said === null ? undefined : commonWords(said, folder),
    item: item === null ? undefined : commonLabel(item, folder),
  };
}
