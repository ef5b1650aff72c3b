import { SERVER_FIELDS } from '../core/model/run/result.js';
import type { WaitWithoutFork } from '../core/model/run/session.js';
import { getOrAdd } from '../core/model/values/groups.js';
import type { Mapping } from '../core/model/values/value.js';
import { awaitAccepted } from './accepted.js';
import { bodyText, jsonObject } from './answers/json_object.js';
import type { Client } from './client.js';
import { ControllerError, type ApiCall } from './exchange/call.js';
import { findByName, type Search } from './find_by_name.js';

/** How often a name is read before its object counts as absent: after a break, and after a time-out. */
const READS = { broken: 2, late: 4 };

/** The object that must exist in the end. */
export interface WantedObject {
  readonly client: Client;
  readonly collection: string;
  readonly name: string;
  readonly search: Search;
}

export interface Creation extends WantedObject {
  readonly body: Mapping;
}

/**
 * POST is not idempotent (API document, section 4, rule 1): it is sent once, and after a lost reply the name is
 * looked up. If the object exists, it is used. If it is absent in two reads (more if the controller may still be
 * working), one more POST is sent, or several if a route breaks. So a create is never lost, and doubled only if it takes
 * effect even later on a controller that allows two objects with the same name. Otherwise throws the controller's error. An interrupted run
 * cannot wait for lagging followers, so absence proves nothing, and the POST is not repeated.
 */
export async function createOnce(creation: Creation): Promise<'adopted' | undefined> {
  let requests = 0;
  const end = await sendUntilSeen(creation, () => {
    requests += 1;
    return postOnce(creation);
  });
  // After a request without an answer, the object may be the one that it created.
  return requests === 1 ? end : undefined;
}

/**
 * Returns what was sent back; undefined if the object was found after a lost reply. A controller that answers 429 or 503,
 * or whose route breaks, gets further POSTs within the patience, each after looks at the name; any other only one.
 */
export async function sendUntilSeen<Sent>(wanted: WantedObject, send: () => Promise<Sent>): Promise<Sent | undefined> {
  const { client } = wanted;
  const end = performance.now() + client.patienceMs;
  let sent = await attempt(send);
  // Whether a request may take effect although no look has shown it: after 503, a look says what has become of it.
  let isOpen = false;
  for (let again = 1; sent instanceof ControllerError; again += 1) {
    isOpen ||= sent.uncertain && sent.status !== 503;
    sent.uncertain ||= isOpen;
    if (await appears(wanted, sent)) return undefined;
    sent.uncertain = isOpen;
    const isLast =
      again > 1 && !(mayPass(sent, client) && again < client.options.retry.attempts && performance.now() < end);
    // A task that the controller named with 202 has failed, or still runs and may create the object.
    if (client.interrupted || isLast || sent.status === 202) throw sent;
    sent = await attemptAfter(sent, send);
  }
  return sent;
}

/** Whether the cause may pass. A tunnel may break at any request; without one, a second break may be the work of the request itself. */
function mayPass({ status, failure }: ControllerError, { settings }: Client): boolean {
  return status === 429 || status === 503 || (failure === 'reset' && (settings.route?.proxies.length ?? 0) > 0);
}

export async function exists({ client, collection, name, search }: WantedObject): Promise<boolean> {
  return (await findByName(client, collection, name, search)) !== undefined;
}

/** Returns the error if the outcome is unknown; throws if certainly nothing was created. */
async function attempt<Sent>(send: () => Promise<Sent>): Promise<Sent | ControllerError> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof ControllerError && canBeResolvedByReading(error)) return error;
    throw error;
  }
}

/** If it was not even sent, the one before still decides. If it was refused, the one before may be the reason, or still take effect. */
async function attemptAfter<Sent>(lost: ControllerError, send: () => Promise<Sent>): Promise<Sent | ControllerError> {
  try {
    return await attempt(send);
  } catch (error) {
    if (!(error instanceof ControllerError)) throw error;
    if (wasNotSent(error)) throw lost;
    error.uncertain ||= lost.uncertain;
    if (lost.uncertain && error.outcome === 'failed') return error;
    throw error;
  }
}

async function postOnce(creation: Creation): Promise<'adopted' | undefined> {
  const { client, collection, body } = creation;
  const text = bodyText('POST', collection, withoutServerFields(body));
  const call: ApiCall = { method: 'POST', path: collection, body: text, repeatable: false, isLookedUp: true };
  const answer = await client.ask(call);
  if (answer.status === 202) {
    await awaitAccepted(call, answer, client, () => exists(creation));
  } else if (answer.status < 300) jsonObject(call, answer, client);
  else if (answer.status !== 409 || !(await exists(creation))) throw client.refused(call, answer);
  return answer.status === 409 ? 'adopted' : undefined;
}

/**
 * Whether a read can resolve the outcome: after no answer, "not now", or an invalid answer; not after a refused
 * connection, refused credentials, a bad certificate, a name that does not resolve, or an interrupt.
 */
function canBeResolvedByReading(error: ControllerError): boolean {
  const { method, outcome, temporary, uncertain } = error;
  const wasInvalid = outcome === 'failed' && uncertain;
  return method === 'POST' && (wasInvalid || (temporary && !wasNotSent(error)));
}

function wasNotSent({ status, uncertain }: ControllerError): boolean {
  return status === undefined && !uncertain;
}

/**
 * Reads with growing pauses, because followers lag.
 * @param lost the error of the create; thrown if the controller requests too long a pause
 */
export async function appears(creation: WantedObject, lost?: ControllerError): Promise<boolean> {
  const reads = lost?.late === true ? READS.late : READS.broken;
  for (let attempt = 1; attempt <= reads; attempt += 1) {
    if (lost !== undefined && !creation.client.mayAsk) throw lost;
    await creation.client.pause(attempt);
    if (await exists(creation)) return true;
  }
  return false;
}

/** A create with fields that the server sets may be refused, or conflict with another object. */
function withoutServerFields(body: Mapping): Mapping {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !SERVER_FIELDS.includes(key)));
}

/** The object to create, and its collection. */
interface CreateKey {
  /** The identity of the controller. */
  readonly controller: string;
  /** Identifies the object on the controller. */
  readonly object: string;
}

/** The end of the last create of an object in this run. One that failed may have taken effect. */
interface CreatedBefore {
  /** Somebody else had created the object. */
  readonly adopted: boolean;
}

/**
 * Serialises creates of one object on one controller, under all its names in the inventory. Knows which creates the run
 * has already done, so that a later one reads again first.
 */
export class CreateTurns {
  /** The last create of each key, while any is running or waiting. */
  readonly #last = new Map<string, Promise<void>>();
  /** The objects that were to be created, by controller, and whether they are of this run. */
  readonly #done = new Map<string, Map<string, CreatedBefore>>();

  /** Runs `work` exclusively for the key. */
  async hold<T>(
    created: CreateKey,
    wait: WaitWithoutFork,
    work: (before: CreatedBefore | undefined) => Promise<T>,
  ): Promise<T> {
    const { controller, object } = created;
    const key = `${controller} ${object}`;
    const before = this.#last.get(key);
    let release: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (release = resolve));
    this.#last.set(key, turn);
    if (before !== undefined) await wait(() => before);
    const known = this.#done.get(controller)?.get(object);
    let adopted = known?.adopted === true;
    try {
      const end = await work(known);
      adopted = end === 'adopted';
      return end;
    } finally {
      getOrAdd(this.#done, controller, () => new Map<string, CreatedBefore>()).set(object, { adopted });
      if (this.#last.get(key) === turn) this.#last.delete(key);
      release();
    }
  }

  /** Called when no session with the controller is open: every later session reads before it creates. */
  forget(controller: string): void {
    this.#done.delete(controller);
  }
}
