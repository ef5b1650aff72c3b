import { DIALECTS, type Dialect } from '../core/model/dialect.js';
import type { ApiAnswer } from './exchange/call.js';

/** Asks for the version at a path, without credentials. */
type AskVersion = (path: string) => Promise<string>;

/**
 * The dialect of a controller that no variable gives one, if it answers as those of that dialect do.
 *
 * @param answer undefined: the controller is asked, which a run must not do: its first 401 is its last request
 */
export async function noticedDialect(answer: ApiAnswer | undefined, ask: AskVersion): Promise<string | undefined> {
  return (answer === undefined ? await shownDialect(ask) : resembledDialect(answer))?.name;
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
async function shownDialect(ask: AskVersion): Promise<Dialect | undefined> {
  for (const dialect of DIALECTS.values()) {
    const path = dialect.versionPath;
    const version = path === undefined ? undefined : await ask(path).catch(() => undefined);
    if (version !== undefined) return dialect;
  }
  return undefined;
}
