import { entry, isMapping, type Mapping, type Value } from '../core/model/values/value.js';
import { parsed } from './answers/answer_text.js';
import type { Client } from './client.js';
import type { ApiAnswer, ApiCall } from './exchange/call.js';

/**
 * Waits, within the patience, for the end of what a controller does after 202: of the task that it names, or else until
 * `isDone` sees the result. Returns in any case, because the object will be read; throws if the task failed.
 */
export async function awaitAccepted(
  call: ApiCall,
  answer: ApiAnswer,
  client: Client,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const task = taskPath(answer, client.settings.url);
  const isOver = task === undefined ? isDone : () => isTaskOver(task, call, client);
  const end = performance.now() + client.patienceMs;
  for (let attempt = 1; !(await isOver()); attempt += 1) {
    if (!(await client.awaitWork(attempt, end - performance.now()))) return;
  }
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
  const path = given.startsWith(`${url}/`) ? given.slice(url.length) : given;
  return path.startsWith('/') ? path.replace(/#.*/, '') : undefined;
}

const FAILED = /fail|error|abort|cancel/i;
const ENDED = /(?<!in)complete|success|succeeded|done|finished/i;

/** A task that the controller no longer shows is over. */
async function isTaskOver(path: string, call: ApiCall, client: Client): Promise<boolean> {
  const answer = await client.ask({ method: 'GET', path, repeatable: true });
  if (answer.status !== 200) return answer.status !== 202;
  const state = readState(parsed(answer.text));
  if (state === undefined) return true;
  if (!FAILED.test(state)) return ENDED.test(state);
  // The answer of the task says why.
  throw client.refused(call, { ...answer, status: 202, uncertain: true });
}

/** `{state: "RUNNING"}`, `{state: {state: …}}` or `{status: …}` */
function readState(body: Value | undefined): string | undefined {
  if (!isMapping(body)) return undefined;
  const state = entry(body, 'state') ?? entry(body, 'status');
  if (isMapping(state)) return readState(state);
  return typeof state === 'string' ? state : undefined;
}
