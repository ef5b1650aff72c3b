import { isRead } from './http_method.js';
import type { ReferenceLookup, Scope } from './reference.js';
import type { Mapping, Value } from '../values/value.js';

/**
 * What a singleton's read found. Unreadable: the controller has no GET for it (404, 405, 501), as the API document allows.
 * `written` is what this run last wrote there: the next PUT must not lose it.
 */
export type Singleton =
  | (SignedInBy & { readonly status: 'found'; readonly object: Mapping })
  | (SignedInBy & { readonly status: 'unreadable'; readonly code: number; readonly written?: Mapping });

/** Absent: Basic authentication, which a system configuration can switch off. */
interface SignedInBy {
  readonly signIn?: 'session';
}

export interface FindOptions {
  /** References show the names of their objects (`URL#name`), if the dialect can do that: what is deleted cannot be asked later. */
  readonly names?: true;
}

/** Reads, and nothing else. Every method throws when the answer does not make sense; a module lets that error pass. */
export interface Reader {
  /**
   * The one object of that exact name in a collection (`/api/cloud/`), or undefined when the controller says there is none.
   * Throws when several have it in that scope, or when the list cannot be trusted (API document, section 4, rules 1 and 2).
   */
  find(collection: string, name: string, scope?: Scope, options?: FindOptions): Promise<Mapping | undefined>;
  /** The object at a path without a uuid (`/api/systemconfiguration`). */
  single(path: string): Promise<Singleton>;
}

/** Writes that cannot do harm twice. */
export interface Writer {
  /** POST, once. After a lost reply the name is read: a POST is never repeated blindly. */
  create(collection: string, name: string, body: Mapping, scope?: Scope): Promise<void>;
  /** PUT of the whole object; the same body may be sent again. */
  replace(path: string, body: Mapping): Promise<void>;
  /** DELETE of the object at its own path (`/api/cloud/UUID`). One that is already gone counts as removed. */
  remove(path: string): Promise<void>;
}

/** A raw exchange, for `api_request`. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: Value | undefined;
  /** In place of `body`. */
  readonly form?: Form | undefined;
  /** Receives the body of an answer of status 200, of any length; the answer then has no body. */
  readonly into?: Destination | undefined;
  /**
   * The action has looked at the controller: what it sends is not there. So a request with an unknown outcome, which a resume does not repeat
   * otherwise, may be sent again.
   */
  readonly looked?: boolean;
  /** The placeholders of secrets in the body are those of the object that it replaces, where the dialect keeps secrets for them. */
  readonly keepsSecrets?: boolean;
}

/** multipart/form-data that is never in memory as a whole. */
export interface Form {
  readonly contentType: string;
  /** In bytes. */
  readonly length: number;
  /** Its bytes, from the beginning; called for each attempt. */
  parts(): AsyncIterable<Uint8Array>;
}

export interface Destination {
  /** An attempt begins: drop what an earlier one brought. Throws if an answer of that type is not wanted. */
  start(contentType: string | undefined): Promise<void>;
  take(part: Uint8Array): Promise<void>;
}

export interface RawAnswer {
  readonly status: number;
  /** Parsed JSON, or the text if it is not JSON. Whole numbers beyond 2⁵³ would lose digits, so they are texts. */
  readonly body: Value;
  /** What the controller says (`error`, `detail`, `message`, else the beginning of its answer): one line without secrets. */
  readonly says?: string;
}

/** What a path shows. */
export interface Listed {
  /** All objects of a collection, or the single object at the path. Numbers that JavaScript cannot hold are texts. */
  readonly objects: readonly Mapping[];
  readonly single: boolean;
}

/** How to read a path. */
export interface ListOptions {
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Whether to ask for pages of the largest size: for collections. */
  readonly paged: boolean;
}

/** The port between the engine and a controller: everything that a task can ask of it. Modules see parts of it. */
export interface ControllerSession extends Reader, Writer {
  /** Any answer except 401 and redirects comes back as it is; only GET, HEAD and PUT are repeated. */
  request(request: RawRequest): Promise<RawAnswer>;
  /**
   * Reads all pages of a collection, or a single object. References show the names of their objects (`URL#name`) where the dialect can.
   * Throws if the list cannot be trusted, or for any status but 200.
   */
  list(path: string, options: ListOptions): Promise<Listed>;
  /** Whether an object of that name appears after a create with unknown outcome: reads twice, with pauses. */
  appears(collection: string, name: string, scope?: Scope): Promise<boolean>;
  /** Finds what references by name mean; undefined if the dialect takes references as they are written. */
  references(): Promise<ReferenceLookup | undefined>;
  /**
   * Tries another password of the user once in a run, however often it is called, and again only if it was `changed` since. If the controller
   * accepts it, the rest of the run signs in with it. A refusal counts for nothing else.
   */
  signIn(password: string, changed?: 'changed'): Promise<boolean>;
  /**
   * The next write may lock everyone out, as the task asked. Once the controller is lost, every request to it throws a
   * `LockedOutError`, and this run does not contact it again.
   */
  expectLockout(): Promise<void>;
}

/** Waits for something. A controller for which nothing else is done meanwhile gives up its fork, and continues when it has one again. */
export type Rest = <Result>(wait: () => Promise<Result>) => Promise<Result>;

/** For those who have no fork to give up. */
export const NEVER_REST: Rest = (wait) => wait();

/** A session as the run holds it, open until it is closed. */
export interface OpenSession extends ControllerSession {
  /** The same session, as a task uses it that rests while it waits: for a retry, for the end of a pause, or for other tasks. */
  restingBy(rest: Rest): ControllerSession;
  /** The task no longer needs its answers: other large answers may come into memory. */
  forgetAnswers(): void;
  close(): Promise<void>;
}

/** Calls a session. A write must not be abandoned once it was sent. */
export type Call = <Answer>(
  kind: 'read' | 'write',
  ask: (session: ControllerSession) => Promise<Answer>,
) => Promise<Answer>;

/** A session whose calls all pass through one function, which opens the real session first or stops at a time limit. */
export class SessionThrough implements ControllerSession {
  constructor(private readonly call: Call) {}

  find(collection: string, name: string, scope?: Scope, options?: FindOptions): Promise<Mapping | undefined> {
    return this.call('read', (session) => session.find(collection, name, scope, options));
  }

  single(path: string): Promise<Singleton> {
    return this.call('read', (session) => session.single(path));
  }

  create(collection: string, name: string, body: Mapping, scope?: Scope): Promise<void> {
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

  references(): Promise<ReferenceLookup | undefined> {
    return this.call('read', (session) => session.references());
  }

  signIn(password: string, changed?: 'changed'): Promise<boolean> {
    return this.call('read', (session) => session.signIn(password, changed));
  }

  expectLockout(): Promise<void> {
    return this.call('read', (session) => session.expectLockout());
  }
}
