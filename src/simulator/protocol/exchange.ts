import type { IncomingHttpHeaders } from 'node:http';
import { orElse } from '../../core/model/source/diagnostic.js';
import { parseJson as parseValue } from '../../core/model/values/json.js';

/** What travels on the wire, both ways. */
export type SimulatedJson = null | boolean | number | bigint | string | readonly SimulatedJson[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: SimulatedJson;
}

export function isJsonObject(value: SimulatedJson | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonList(value: SimulatedJson | undefined): value is readonly SimulatedJson[] {
  return Array.isArray(value);
}

/** A field that holds text, such as `uuid`; empty if it does not. */
export function textOrEmpty(value: SimulatedJson | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** @throws SyntaxError if the text is not JSON */
export function readJson(text: string): SimulatedJson {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- values of JSON have no other types
  return parseValue(text) as SimulatedJson;
}

export function tryReadJson(text: string): SimulatedJson | undefined {
  return orElse(undefined, () => readJson(text));
}

/** A simulated controller's answer to one request, before any misbehaviour changes it. */
export interface SimulatedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined: no content. */
  readonly body: SimulatedJson | undefined;
  /** The controller restarts after this answer. */
  readonly restarts?: RestartPhases;
}

/** How long each phase of a restart takes, in milliseconds: writes get 403, then everything gets 503, then nothing listens. */
export interface RestartPhases {
  readonly disallowed: number;
  readonly unavailable: number;
  readonly refused: number;
}

/** By name; several values are several header lines. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

export function success(body: SimulatedJson, status = 200): SimulatedAnswer {
  return { status, headers: {}, body };
}

/** The API document leaves the shape of errors open; `error` is what controllers of this family send. */
export function errorAnswer(status: number, error: string, headers: Headers = {}): SimulatedAnswer {
  return { status, headers, body: { error } };
}

/** Ends a request from any depth: the controller sends this answer. Only `Service.answer` catches it. */
export class RequestRejected extends Error {
  constructor(readonly answer: SimulatedAnswer) {
    super(`rejected with ${answer.status}`);
  }
}

export function requestRejected(status: number, error: string): RequestRejected {
  return new RequestRejected(errorAnswer(status, error));
}

/** One request as a simulated controller sees it. */
export interface SimulatedRequest {
  readonly method: string;
  /** Without the query and without the base URL's own path. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Of a multipart/form-data body, whose `body` is empty. */
  readonly upload?: SimulatedUpload;
  /** The base URL as the client addresses it, path included: for `url` and `next`. */
  readonly base: string;
}

/** A path with as few slashes as lead to the same place. */
export function canonicalPath(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/\/$/, '');
}

/** @param path canonical @param trait a path of the dialect, if it has one */
export function isTraitPath(path: string, trait: string | undefined): boolean {
  return trait !== undefined && path === canonicalPath(trait);
}

/** What is kept of an upload; not its content. */
export interface SimulatedUpload {
  /** Whether the closing boundary came. */
  readonly isComplete: boolean;
  readonly file: { readonly name: string; readonly size: number; readonly sha256: string } | undefined;
}
