import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Event, TaskFinished } from '../../../src/core/model/run/event.js';
import { eventsOf } from '../../rig/events_of.js';
import { evenkeel, type EndedInProcess } from '../../rig/in_process.js';
import { recapOf, roundsOf, type Answer, type Outcome, type ToolEvent } from './answer.js';
import { inCaseFolder, type Prepared } from './case_folder.js';
import type { Case, CaseFile } from './cases.js';
import { commonLabel, commonWords } from './common_words.js';

export type Strategy = 'linear' | 'host_pinned';

/** Answers to the cases of a file, each asked for when it is wanted; all at once if the file says so. */
export function answersOf({ cases, waits = false }: CaseFile, strategy: Strategy): (one: Case) => Promise<Answer> {
  const begun = new Map<Case, Promise<Answer>>();
  const begin = (one: Case): Promise<Answer> => {
    const answer = begun.get(one) ?? ourAnswer(one, strategy);
    begun.set(one, answer);
    return answer;
  };
  return (one) => {
    const all = waits ? cases.map(begin) : [];
    void Promise.allSettled(all);
    return begin(one);
  };
}

/** Runs a case with Evenkeel's `run`, inside this process. */
export async function ourAnswer(one: Case, strategy: Strategy): Promise<Answer> {
  return (await ourAnswerAndErrors(one, strategy)).answer;
}

/** The same, with what the command wrote to stderr. */
export function ourAnswerAndErrors(
  one: Case,
  strategy: Strategy,
): Promise<{ readonly answer: Answer; readonly stderr: string }> {
  return inCaseFolder(one, async (prepared) => {
    const state = await mkdtemp(path.join(tmpdir(), 'evenkeel-state-'));
    try {
      const { code, stdout, stderr } = await command(prepared, strategy, state);
      const rounds = strategy === 'linear' ? roundsOf : walksOf;
      const answer = answerOf(code, eventsOf(stdout), (events) => rounds(toolEvents(events, prepared.folder)));
      return { answer, stderr };
    } finally {
      await rm(state, { recursive: true });
    }
  });
}

function command({ folder, arguments: options }: Prepared, strategy: Strategy, state: string): Promise<EndedInProcess> {
  return evenkeel(['run', '--strategy', strategy, '--output', 'json', ...options], {
    cwd: folder,
    // Cases act as runs on different machines, so their controllers need no locks.
    env: { EVENKEEL_STATE_DIR: state, EVENKEEL_LOCK_DIR: 'off' },
  });
}

/** Each controller's rounds, one controller after the other. */
function walksOf(events: readonly ToolEvent[]): readonly string[] {
  const hosts = new Set(events.flatMap((one) => (one.type === 'outcome' ? [one.host] : [])));
  return [...hosts].flatMap((host) => roundsOf(events.filter((one) => one.type === 'play' || one.host === host)));
}

function answerOf(
  exit: number,
  events: readonly Event[],
  rounds: (events: readonly Event[]) => readonly string[],
): Answer {
  const finished = events.findLast((event) => event.type === 'run-finished');
  return {
    refused: finished === undefined,
    exit,
    rounds: rounds(events),
    recap: recapOf(finished?.stats ?? {}),
  };
}

function toolEvents(events: readonly Event[], folder: string): readonly ToolEvent[] {
  return events.flatMap((event): readonly ToolEvent[] => {
    if (event.type === 'batch-started') return [{ type: 'play', name: event.play }];
    return event.type === 'task-finished' ? [{ type: 'outcome', ...outcome(event, folder) }] : [];
  });
}

function outcome(event: TaskFinished, folder: string): Outcome {
  const { handler, task, controller: host, status, ignored, item } = event;
  return {
    kind: handler ? 'HANDLER' : 'TASK',
    task,
    host,
    status: ignored === true && item === undefined ? `${status} ignored` : status,
    said: saidBy(event, folder),
    item: item === undefined ? undefined : commonLabel(item, folder),
  };
}

function saidBy({ module, status, message, values }: TaskFinished, folder: string): string | undefined {
  if (module === 'debug' && status !== 'failed' && values !== undefined)
    return commonWords(Object.values(values)[0], folder);
  if (module === 'fail' && status === 'failed') return commonWords(message, folder);
  return undefined;
}
