import { isTemporaryStatus } from '../core/model/run/temporary.js';
import { entry, isMapping, type Mapping, type Value } from '../core/model/values/value.js';
import { answerText, parsed } from './answers/answer_text.js';
import type { Client } from './client.js';
import { ControllerError, type ApiAnswer, type ApiCall } from './exchange/call.js';

/**
 * Waits, within the patience, for the end of what a controller does after 202: of the task that it names, or else until
 * `isDone` sees the result. Throws if the task failed, or if the patience ended before the result was there.
 */
export async function awaitAccepted(
  call: ApiCall,
  answer: ApiAnswer,
  client: Client,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const task = taskPath(answer, client.settings.url);
  if (await isOverInTime(client, task === undefined ? isDone : () => isTaskOver(task, call, client))) return;
  if (task !== undefined && (await isDone())) return;
  const { patience } = client.settings;
  const what = `the controller accepted the request (202), and was still working on it at the end of controller_patience, ${patience} s`;
  const hint = 'set controller_patience to wait longer, then run again';
  throw new ControllerError(call, what, { status: 202, uncertain: true, hint });
}

/** The same for a request whose result cannot be seen. Returns the path of its task if that still runs after the patience. */
export async function followTask(call: ApiCall, answer: ApiAnswer, client: Client): Promise<string | undefined> {
  const task = taskPath(answer, client.settings.url);
  if (task === undefined) return undefined;
  try {
    return (await isOverInTime(client, () => isTaskOver(task, call, client))) ? undefined : task;
  } catch (error) {
    // The task may be what makes the controller unavailable, such as an upgrade.
    if (error instanceof ControllerError && error.path === task) return task;
    throw error;
  }
}

async function isOverInTime(client: Client, isOver: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + client.patienceMs;
  for (let attempt = 1; !(await isOver()); attempt += 1)
    if (!(await client.awaitWork(attempt, end - performance.now()))) return false;
  return true;
}

/** The same for a write to an object at its own path. @param body what replaces it; absent: it is removed */
export function awaitWrite(call: ApiCall, answer: ApiAnswer, client: Client, body?: Mapping): Promise<void> {
  return awaitAccepted(call, answer, client, async () => {
    const { status, text } = await client.ask({ method: 'GET', path: call.path, repeatable: true });
    return status !== 200 || (body !== undefined && isNewer(body, text));
  });
}

/** Without versions of objects, nothing tells when the controller has written one. */
function isNewer({ _last_modified: version }: Mapping, text: string): boolean {
  const now = parsed(text);
  return version === undefined || !isMapping(now) || now['_last_modified'] !== version;
}

/** The path of the task that works on the request, below the URL of the controller. */
function taskPath({ location, text }: ApiAnswer, url: string): string | undefined {
  const body = parsed(text);
  const named = isMapping(body) ? [entry(body, 'task_ref'), entry(body, 'task_url'), entry(body, 'task')] : [];
  const given = [location, ...named].find((one) => typeof one === 'string' && /^(?:https?:\/)?\//.test(one));
  if (typeof given !== 'string') return undefined;
  const prefix = new URL(url).pathname.replace(/\/$/, '');
  const base = [url, prefix].find((one) => given.startsWith(`${one}/`)) ?? '';
  const path = given.slice(base.length);
  return path.startsWith('/') ? path.replace(/#.*/s, '') : undefined;
}

const FAILED = /fail|error|abort|cancel/i;
const ENDED = /(?<!in)complete|success|succeeded|done|finished/i;

/** A task that the controller no longer shows is over, unless it may show it a moment later. */
async function isTaskOver(path: string, call: ApiCall, client: Client): Promise<boolean> {
  const answer = await client.ask({ method: 'GET', path, repeatable: true });
  const { status } = answer;
  if (status !== 200) return status !== 202 && !isTemporaryStatus(status) && (status < 500 || status === 501);
  const state = readState(parsed(answer.text));
  if (state === undefined) return true;
  if (!FAILED.test(state)) return ENDED.test(state);
  const why = answerText(answer, client);
  throw new ControllerError(call, `the controller accepted the request (202), but its task failed: ${why}`, {
    status: 202,
    uncertain: true,
  });
}

/** `{state: "RUNNING"}`, `{state: {state: …}}` or `{status: …}` */
function readState(body: Value | undefined): string | undefined {
  if (!isMapping(body)) return undefined;
  const state = entry(body, 'state') ?? entry(body, 'status');
  if (isMapping(state)) return readState(state);
  return typeof state === 'string' ? state : undefined;
}
