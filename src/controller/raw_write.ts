import { isIPv6, SocketAddress } from 'node:net';
import type { Dialect } from '../core/model/dialect.js';
import {
  directReference,
  isNameOnly,
  isReferenceName,
  queriedReference,
  refersTo,
} from '../core/model/run/reference.js';
import { isRead, type RawRequest } from '../core/model/run/session.js';
import { pathWithQuery } from '../core/model/values/uri.js';
import { HIDDEN, jsonText, entry, isList, isMapping, type Mapping, type Value } from '../core/model/values/value.js';
import { isSecretName } from '../core/secrets/names.js';
import { parsed } from './answers/answer_text.js';
import { bodyText } from './answers/json_object.js';
import type { Client } from './client.js';
import { sendUntilSeen, type WantedObject } from './create_once.js';
import { ControllerError, get, type ApiAnswer, type ApiCall } from './exchange/call.js';
import { mayStillApply } from './exchange/policy.js';
import { findByName } from './find_by_name.js';

/** Throws if the method is invalid. */
export function rawCall(raw: RawRequest, dialect: Dialect): ApiCall {
  const method = raw.method.toUpperCase();
  const path = pathWithQuery(raw.path, new URLSearchParams(raw.query).toString());
  if (!/^[A-Z]+$/.test(method))
    throw new ControllerError({ method, path }, 'the method must be a word such as GET or PUT');
  const body =
    raw.body === undefined
      ? {}
      : { body: bodyText(method, path, raw.body, raw.keepsSecrets === true ? dialect : undefined) };
  const { form, into } = raw;
  const call = { method, path, repeatable: isRead(method) || method === 'PUT', ...body, form, into };
  // A module that sends a file looks for it.
  return form === undefined ? call : { ...call, isLookedUp: true };
}

/**
 * A raw write whose lost answer a look at the controller can replace, so that it is sent again within the patience, and
 * never takes effect twice. Any other is sent as `Sender` does.
 * @param created the object that a POST creates
 */
export async function sendRaw(
  call: ApiCall,
  { body }: RawRequest,
  client: Client,
  created: WantedObject | undefined,
): Promise<ApiAnswer> {
  const looks = client.patienceMs > 0;
  if (created !== undefined && looks) return post(call, created);
  if (directReference(call.path) === undefined) return askOnce(call, client);
  if (call.method === 'DELETE') return remove(call, client);
  if (call.method !== 'PATCH' || !isMapping(body)) return askOnce(call, client);
  const added = entry(body, 'add');
  if (added === undefined) return client.ask({ ...call, repeatable: true });
  return looks && isMapping(added) && canBeSeen(added, client) ? add(call, added, client) : askOnce(call, client);
}

async function askOnce(call: ApiCall, client: Client): Promise<ApiAnswer> {
  const answer = await client.ask(call);
  return answer.uncertain === true && !call.repeatable ? { ...answer, outcomeUnknown: true } : answer;
}

/** Returns the answer of the controller, or 201 with the object that was found after a lost answer. */
async function post(call: ApiCall, created: WantedObject): Promise<ApiAnswer> {
  const { client, collection, name, search } = created;
  let last: { readonly answer: ApiAnswer; readonly refusal: ControllerError } | undefined;
  const send = async (): Promise<ApiAnswer> => {
    last = undefined;
    const answer = await client.ask({ ...call, isLookedUp: true });
    if (answer.status < 400) return answer;
    last = { answer, refusal: client.refused(call, answer) };
    throw last.refusal;
  };
  try {
    const answer = await sendUntilSeen(created, send);
    if (answer !== undefined) return answer;
    const text = jsonText((await findByName(client, collection, name, search)) ?? null);
    return { status: 201, text, contentType: 'application/json', location: undefined, retryAfter: undefined };
  } catch (error) {
    if (last === undefined || !(error instanceof ControllerError)) throw error;
    const { uncertain } = last.refusal;
    return { ...last.answer, uncertain, outcomeUnknown: uncertain };
  }
}

/** The path ends with a uuid, so an object that is gone after a lost answer is the one that was meant. */
async function remove(call: ApiCall, client: Client): Promise<ApiAnswer> {
  const answer = await client.ask({ ...call, repeatable: true });
  return answer.status === 404 && answer.uncertain === true ? { ...answer, status: 204, text: '' } : answer;
}

/**
 * After 503 or a lost answer, looks whether the object has what is added. If not, adds it again only after 503: a request whose answer
 * was lost may still take effect.
 */
async function add(call: ApiCall, added: Mapping, client: Client): Promise<ApiAnswer> {
  const end = performance.now() + client.patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    const sent = await client.ask(call).catch(lostAnswer);
    if (!(sent instanceof ControllerError) && sent.uncertain !== true) return sent;
    const isLost = sent instanceof ControllerError || mayStillApply(sent);
    await client.pause(attempt);
    const shown = await client.ask(get(withNames(call.path, client))).catch((error: unknown) => {
      if (isLost) return undefined;
      throw error;
    });
    const object = shown?.status === 200 && !client.interrupted ? parsed(shown.text) : undefined;
    const isThere = isMapping(object) ? includes(object, added) : undefined;
    if (shown !== undefined && isThere === true) return shown;
    if (sent instanceof ControllerError) throw sent;
    if (isLost || isThere === undefined) return { ...sent, outcomeUnknown: true };
    if (performance.now() >= end || attempt >= client.options.retry.attempts) return sent;
  }
}

/** The error of a request that may have taken effect, unless the run itself aborted it. */
function lostAnswer(error: unknown): ControllerError {
  if (error instanceof ControllerError && error.uncertain && !error.givenUp) return error;
  throw error;
}

function withNames(path: string, { settings }: Client): string {
  const names = settings.dialect.references?.nameParameter;
  return names === undefined ? path : `${path}?${names}`;
}

/** Whether a look at an object shows if it has these references; one with a cloud or tenant could be another of its name. */
function canBeSeen(value: Value, client: Client, field = ''): boolean {
  if (isList(value)) return value.every((one) => canBeSeen(one, client, field));
  if (isMapping(value)) return Object.entries(value).every(([name, one]) => canBeSeen(one, client, name));
  if (typeof value !== 'string' || !isReferenceName(field)) return true;
  const named = queriedReference(value);
  if (named === undefined) return directReference(value) !== undefined;
  return isNameOnly(named) && client.settings.dialect.references?.nameParameter !== undefined;
}

/**
 * Whether an object has these fields, and lists these elements, beside others. Undefined: it may, as the controller hides secrets, and
 * replaces null by a default.
 */
function includes(object: Value | undefined, part: Value, field = ''): boolean | undefined {
  if (isMapping(part)) {
    const fields = Object.entries(part);
    if (!isMapping(object)) return fields.length === 0 && object === undefined;
    return every(fields.map(([name, value]) => includes(entry(object, name), value, name)));
  }
  if (isList(part)) {
    if (!isList(object)) return part.length === 0 && object === undefined;
    return every(part.map((element) => some(object.map((candidate) => includes(candidate, element, field)))));
  }
  if (isSame(object, part)) return true;
  return part === null || object === HIDDEN || (object === undefined && isSecretName(field)) ? undefined : false;
}

function every(parts: readonly (boolean | undefined)[]): boolean | undefined {
  return parts.includes(false) ? false : !parts.includes(undefined) || undefined;
}

function some(candidates: readonly (boolean | undefined)[]): boolean | undefined {
  return candidates.includes(true) || (candidates.includes(undefined) ? undefined : false);
}

/** Controllers leave out empty values, take numbers and truth values for what the text of a template says, and shorten addresses. */
function isSame(shown: Value | undefined, sent: Value): boolean {
  if (shown === sent) return true;
  if (shown === undefined) return sent === null || sent === '';
  if (typeof sent !== 'string') return false;
  if (typeof shown !== 'string') return typeof shown !== 'object' && String(shown) === sent.toLowerCase();
  return refersTo(shown, sent) || (isIPv6(shown) && shortened(shown) === shortened(sent));
}

function shortened(address: string): string {
  return isIPv6(address) ? new SocketAddress({ address, family: 'ipv6' }).address : address;
}
