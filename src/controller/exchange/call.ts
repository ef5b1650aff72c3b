import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import type { Destination, Form } from '../../core/model/run/session.js';

/** One call to a controller, which may take several attempts. */
export interface ApiCall {
  readonly method: string;
  /** Below the controller's URL: begins with a slash, percent-encoded, query included. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string | undefined;
  /** Replaces `body`; read while it is sent. */
  readonly form?: Form | undefined;
  /** Receives the body of an answer of status 200. */
  readonly into?: Destination | undefined;
  /** Whether the same request may be sent again when its outcome is unknown. */
  readonly repeatable: boolean;
  /** Only the final answer counts: 202 means that there is none yet. */
  readonly isFact?: true;
  /** A failure is resolved by a look at the controller, so not even 429 is taken at its word. */
  readonly isLookedUp?: true;
  /** Replaces the tenant of the settings. */
  readonly tenant?: string;
  /** Not part of the API (sign-in): without version and tenant, and traces omit its body. */
  readonly outsideApi?: true;
  /** May be answered without credentials, so success says nothing about them. */
  readonly isPublic?: true;
}

export function get(path: string): ApiCall {
  return { method: 'GET', path, repeatable: true, isFact: true };
}

/** An answer with any status and the whole body. */
export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  /** The body was not UTF-8, so `text` has replacement characters. */
  readonly garbled?: boolean;
  readonly contentType: string | undefined;
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
  readonly setCookies?: readonly string[] | undefined;
  /** The controller has accepted the sign-in, but not its session: it restarts, or sends requests to another node. */
  readonly lostSession?: true;
  /** Nothing shows whether the write took effect, so it was not sent again. */
  readonly unseen?: boolean;
  /** An earlier attempt of the same call ended without an answer, so it may have taken effect too. */
  readonly uncertain?: boolean;
}

/** What is known about the controller, shared by all tasks that use the client, which fills in the rest. */
export interface Addressee {
  settings: ConnectionSettings;
  /** The version header if the version comes from the controller. A version of the settings is in every request. */
  versionHeader: readonly string[];
  /** Whether the controller has the tenant of the settings. */
  hasTenant: boolean;
}
