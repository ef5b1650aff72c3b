import { SERVER_FIELDS } from '../model/run/server_fields.js';
import type { Mapping } from '../model/values/value.js';
import { bodyText } from './answers/body_text.js';
import type { Client } from './client.js';
import { ControllerError } from './exchange/controller_error.js';
import type { Call } from './exchange/call.js';
import { findByName, type Search } from './find_by_name.js';
import { jsonObject } from './answers/json_object.js';

/** How often a name is read before its object counts as absent: after a break, and after a time-out. */
const READS = { broken: 2, late: 4 };

export interface Creation {
  readonly client: Client;
  readonly collection: string;
  readonly name: string;
  readonly body: Mapping;
  readonly search: Search;
}

/**
 * POST is not idempotent (API document, section 4, rule 1): it is sent once, and after a lost reply the name is
 * looked up. If the object exists, it is used. If it is absent in two reads (more if the controller may still be
 * working), one more POST is sent. So a create is never lost, and doubled only if it takes effect even later on a
 * controller that allows two objects with the same name. Otherwise throws the controller's error. An interrupted run
 * cannot wait for lagging followers, so absence proves nothing, and the POST is not repeated.
 */
export async function createOnce(creation: Creation): Promise<void> {
  const lost = await post(creation);
  if (lost === undefined || (await appears(creation, lost))) return;
  if (creation.client.interrupted) throw lost;
  const lostAgain = await post(creation);
  if (lostAgain !== undefined && !(await appears(creation, lostAgain))) throw lostAgain;
}

export async function exists({ client, collection, name, search }: Omit<Creation, 'body'>): Promise<boolean> {
  return (await findByName(client, collection, name, search)) !== undefined;
}

/**
 * Returns undefined if the object exists, the error if the outcome is unknown; throws if certainly nothing was created.
 */
async function post(creation: Creation): Promise<ControllerError | undefined> {
  try {
    await postOnce(creation);
    return undefined;
  } catch (error) {
    if (error instanceof ControllerError && canBeResolvedByReading(error)) return error;
    throw error;
  }
}

async function postOnce(creation: Creation): Promise<void> {
  const { client, collection, body } = creation;
  const call: Call = {
    method: 'POST',
    path: collection,
    body: bodyText('POST', collection, withoutServerFields(body)),
    repeatable: false,
  };
  const answer = await client.ask(call);
  if (answer.status < 300) jsonObject(call, answer, client);
  else if (answer.status !== 409 || !(await exists(creation))) throw client.refused(call, answer);
}

/**
 * Whether a read can settle the outcome: after no answer, "not now", or an invalid answer; not after refused
 * credentials, a bad certificate, a name that does not resolve, or an interrupt.
 */
function canBeResolvedByReading(error: ControllerError): boolean {
  const wasInvalid = error.outcome === 'failed' && error.uncertain;
  return error.method === 'POST' && (error.temporary || wasInvalid);
}

/**
 * Reads with growing pauses, because followers lag.
 * @param lost the error of the create; thrown if the controller requests too long a pause
 */
export async function appears(creation: Omit<Creation, 'body'>, lost?: ControllerError): Promise<boolean> {
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
