import type { Mapping, Value } from '../values/value.js';
import type { Ping } from './ping.js';
import type { ReferenceLookup, ReferenceView, Scope } from './reference.js';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Whether requests with this method, in any case, change nothing on the controller. */
export function isRead(method: string): boolean {
  return READS.has(method.toUpperCase());
}

/**
 * The result of reading a singleton. Unreadable: the controller has no GET for it (404, 405, 501), as the API document
 * allows. `written` is this run's last write to it: the next PUT must not lose it.
 */
export type Singleton =
  | (SignedInBy & { readonly status: 'found'; readonly object: Mapping })
  | (SignedInBy & { readonly status: 'unreadable'; readonly code: number; readonly written?: Mapping });

/** Absent: Basic authentication, which a system configuration can disable. */
interface SignedInBy {
  readonly signIn?: 'session';
}

export interface FindOptions {
  /** What is given in place of the name. */
  readonly by?: 'uuid';
  /**
   * References show the names of their objects (`URL#name`), if the dialect supports it, because names cannot be looked
   * up after a deletion.
   */
  readonly names?: true;
}

/** Read-only access. Every method throws if the answer is invalid; modules do not catch that error. */
export interface Reader {
  /**
   * The object with that exact name in a collection (`/api/cloud/`), or undefined if the controller has none. Throws if
   * several objects in that scope have the name, or if the list cannot be trusted (API document, section 4, rules 1 and
   * 2).
   */
  find(collection: string, name: string, scope?: Scope, options?: FindOptions): Promise<Mapping | undefined>;
  /** The object at a path without a uuid (`/api/systemconfiguration`). */
  single(path: string): Promise<Singleton>;
}

/** Writes that are safe to retry. */
export interface Writer {
  /**
   * Sends one POST. After a lost reply it looks the name up, and never repeats the POST blindly.
   * `adopted`: an object of that name was there already, so nothing was created
   */
  create(collection: string, name: string, body: Mapping, scope?: Scope): Promise<'adopted' | undefined>;
  /** PUT of the whole object; sending the same body again is safe. */
  replace(path: string, body: Mapping): Promise<void>;
  /** DELETE of the object at its own path (`/api/cloud/UUID`). An object that no longer exists counts as removed. */
  remove(path: string): Promise<void>;
}

/** A raw exchange, for `api_request`. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: Value | undefined;
  /** Replaces `body`. */
  readonly form?: Form | undefined;
  /** Receives the body of an answer of status 200, of any length; the answer then has no body. */
  readonly into?: Destination | undefined;
  /**
   * The action has checked that the controller does not have the content, and does so again if the outcome is unknown: if it then
   * succeeds, the request took effect. A resume may repeat it.
   */
  readonly looked?: boolean;
  /** Of a POST: the object that it creates in the collection at `path`. A lost answer is resolved by a look at its name. */
  readonly creates?: { readonly name: string; readonly scope?: Scope | undefined } | undefined;
  /** 202 is an answer: do not follow the task that it names. */
  readonly accepts?: boolean | undefined;
  /** Of a GET: what it shows is written back. Throws if that would change it. */
  readonly exact?: boolean;
  /** Placeholders in the body keep the secrets of the replaced object, if the dialect supports that. */
  readonly keepsSecrets?: boolean;
}

/** Whether a request whose outcome is unknown may be sent again without a look at the controller. */
export function mayBeRepeated({ method, looked }: Pick<RawRequest, 'method' | 'looked'>): boolean {
  return isRead(method) || method.toUpperCase() === 'PUT' || looked === true;
}

/** multipart/form-data that is streamed, never in memory as a whole. */
export interface Form {
  readonly contentType: string;
  /** In bytes. */
  readonly length: number;
  /** Its bytes, from the beginning; called once per attempt. */
  parts(): AsyncIterable<Uint8Array>;
}

export interface Destination {
  /** A new attempt begins: discard the data of earlier ones. Throws if that content type is not acceptable. */
  start(contentType: string | undefined): Promise<void>;
  take(part: Uint8Array): Promise<void>;
}

export interface RawAnswer {
  readonly status: number;
  /** Parsed JSON, or the text if it is not JSON. A whole number whose digits a number would change is a bigint. */
  readonly body: Value;
  /**
   * The controller's message (`error`, `detail`, `message`, else the beginning of its answer): one line without
   * secrets.
   */
  readonly says?: string;
  /** The status is a success, and the body is an error, `{"error": "Tenant license limit exceeded"}`, or a web page. */
  readonly denied?: boolean;
  /** What to do about a refusal, if its cause is known. */
  readonly hint?: string | undefined;
  /** This answer leaves open what has become of the request, or an earlier attempt of it ended without one that settles it. */
  readonly uncertain?: boolean;
  /** Nothing shows whether the write took effect, so it must not be sent again. */
  readonly outcomeUnknown?: boolean;
  /** The path of the task that the controller named with 202, if it was not over at the end of the patience. */
  readonly pending?: string;
}

/** The result of reading a path. */
export interface Listed {
  /** All objects of a collection, or the single object at the path. Numbers that JavaScript cannot represent are texts. */
  readonly objects: readonly Mapping[];
}

/** How to read a path. */
export interface ListOptions {
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Whether to request pages of the maximum size: for collections. */
  readonly paged: boolean;
  /** The objects are written back. Throws if that would change one. */
  readonly exact?: boolean;
}

/** The port between the engine and a controller, with every operation that tasks need. Modules see parts of it. */
export interface ControllerSession extends Reader, Writer {
  /** Returns every answer except 401 and redirects unchanged; repeats only GET, HEAD and PUT. */
  request(request: RawRequest): Promise<RawAnswer>;
  /**
   * Reads all pages of a collection, or a single object. References show the names of their objects (`URL#name`) if the
   * dialect supports it. Throws if the list cannot be trusted, or for any status but 200.
   */
  list(path: string, options: ListOptions): Promise<Listed>;
  /** Whether an object of that name appears after a create with unknown outcome: reads twice, with pauses. */
  appears(collection: string, name: string, scope?: Scope): Promise<boolean>;
  /** Resolves references by name; undefined if the dialect takes references as written. */
  references(view?: ReferenceView): Promise<ReferenceLookup | undefined>;
  /** The version that the controller said it has; undefined if it was not asked, because the settings name one. */
  foundVersion(): Promise<string | undefined>;
  /**
   * Tries another password of the user once per run, however often it is called, and again only if it was `changed`
   * since. If the controller accepts it, the rest of the run signs in with it. A rejected password has no other effect.
   */
  signIn(password: string, changed?: 'changed'): Promise<boolean>;
  /** Connects, signs in and reads; what fails is part of the result. */
  ping(): Promise<Ping>;
  /**
   * The task announces that the next write may cause a lockout. After a lockout, every request throws a
   * `LockedOutError`, and this run does not contact the controller again.
   */
  expectLockout(): Promise<void>;
}

/**
 * Waits for something. If the controller has no other work, it gives up its fork during the wait, and gets one before
 * it continues.
 */
export type WaitWithoutFork = <Result>(awaited: () => Promise<Result>) => Promise<Result>;

/** For callers without a fork. */
export const WAIT_WITHOUT_FORKS: WaitWithoutFork = (awaited) => awaited();

/** The run's view of a session, open until it is closed. */
export interface OpenSession extends ControllerSession {
  /**
   * The same session for a task that gives up its fork while it waits: for a retry, for the end of a pause, or for
   * other tasks.
   */
  withWait(wait: WaitWithoutFork, isPatient?: boolean): ControllerSession;
  /** The task no longer needs its answers, which frees memory for other large answers. */
  forgetAnswers(): void;
  close(): Promise<void>;
}

/** Calls a session. A write must not be abandoned after it was sent. */
type Call = <Answer>(kind: 'read' | 'write', ask: (session: ControllerSession) => Promise<Answer>) => Promise<Answer>;

/** A session whose calls all pass through one function, which opens the real session first or stops at a time limit. */
export class SessionThrough implements ControllerSession {
  constructor(private readonly call: Call) {}

  find(collection: string, name: string, scope?: Scope, options?: FindOptions): Promise<Mapping | undefined> {
    return this.call('read', (session) => session.find(collection, name, scope, options));
  }

  single(path: string): Promise<Singleton> {
    return this.call('read', (session) => session.single(path));
  }

  create(collection: string, name: string, body: Mapping, scope?: Scope): Promise<'adopted' | undefined> {
    return this.call('write', (session) => session.create(collection, name, body, scope));
  }

  replace(path: string, body: Mapping): Promise<void> {
    return this.call('write', (session) => session.replace(path, body));
  }

  remove(path: string): Promise<void> {
    return this.call('write', (session) => session.remove(path));
  }

  request(request: RawRequest): Promise<RawAnswer> {
    return this.call(isRead(request.method) ? 'read' : 'write', (session) => session.request(request));
  }

  list(path: string, options: ListOptions): Promise<Listed> {
    return this.call('read', (session) => session.list(path, options));
  }

  appears(collection: string, name: string, scope?: Scope): Promise<boolean> {
    return this.call('read', (session) => session.appears(collection, name, scope));
  }

  references(view?: ReferenceView): Promise<ReferenceLookup | undefined> {
    return this.call('read', (session) => session.references(view));
  }

  foundVersion(): Promise<string | undefined> {
    return this.call('read', (session) => session.foundVersion());
  }

  signIn(password: string, changed?: 'changed'): Promise<boolean> {
    return this.call('read', (session) => session.signIn(password, changed));
  }

  ping(): Promise<Ping> {
    return this.call('read', (session) => session.ping());
  }

  expectLockout(): Promise<void> {
    return this.call('read', (session) => session.expectLockout());
  }
}
