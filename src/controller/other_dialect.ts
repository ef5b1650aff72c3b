import { DIALECTS, type Dialect } from '../core/model/dialect.js';
import { NEVER_REST } from '../core/model/run/session.js';
import type { ApiAnswer, ApiCall } from './exchange/call.js';
import type { RequestGate } from './pace/request_gate.js';
import type { Wire } from './wire.js';

interface Doubtful {
  readonly gate: RequestGate;
  readonly wire: Wire;
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Asks for the version at a path. */
type AskVersion = (path: string, send: (call: ApiCall) => Promise<ApiAnswer>) => Promise<string>;

/**
 * Warns about a controller that no variable gives a dialect, if it answers as those of a dialect do; returns whether it
 * did.
 *
 * @param answer undefined: the controller is asked, which a run must not do: its first 401 is its last request
 */
export async function noticeDialect(
  controller: Doubtful,
  answer: ApiAnswer | undefined,
  askVersion: AskVersion,
): Promise<boolean> {
  const dialect = answer === undefined ? await shownDialect(controller, askVersion) : resembledDialect(answer);
  if (dialect === undefined) return false;
  const { name } = dialect;
  controller.onWarning?.(
    `answers as controllers of the dialect ${name} do: add "controller_dialect: ${name}" to its variables`,
  );
  return true;
}

/** Their objects name their tenant by its path, and they set the cookies of a session. */
function resembledDialect({ text, setCookies = [] }: ApiAnswer): Dialect | undefined {
  return [...DIALECTS.values()].find(({ tenants, session }) => {
    const cookies = session === undefined ? [] : [...session.sessionCookies, session.csrfCookie];
    const hasCookie = setCookies.some((cookie) => cookies.includes(/^[^=;]*/.exec(cookie)?.[0].trim() ?? ''));
    return hasCookie || (tenants !== undefined && text.includes(tenants.collection));
  });
}

/** They show their version without credentials. */
async function shownDialect({ gate, wire }: Doubtful, askVersion: AskVersion): Promise<Dialect | undefined> {
  const send = (call: ApiCall): Promise<ApiAnswer> =>
    gate.use(NEVER_REST, () => wire.send({ ...call, outsideApi: true }));
  for (const dialect of DIALECTS.values()) {
    const path = dialect.versionPath;
    const version = path === undefined ? undefined : await askVersion(path, send).catch(() => undefined);
    if (version !== undefined) return dialect;
  }
  return undefined;
}
