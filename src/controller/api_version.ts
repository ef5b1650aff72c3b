import type { ConnectionSettings } from '../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../core/model/inventory/route.js';
import type { WaitWithoutFork } from '../core/model/run/session.js';
import { entry, isMapping } from '../core/model/values/value.js';
import { basicCredentials } from './access/sign_in.js';
import type { AnswerContext } from './answers/answer_text.js';
import { singleObject } from './answers/json_object.js';
import { rejection } from './answers/rejection.js';
import { ControllerError, notSentAfter, type ApiAnswer, type ApiCall } from './exchange/call.js';

/** The API versions of controllers without `controller_api_version`, by identity: each controller is asked once per run. */
export class ApiVersions {
  readonly #known = new Map<string, string>();
  readonly #asked = new Map<string, Promise<string>>();

  /**
   * @param patienceMs of `ask`: another user, or one who is more patient, may get the version where this one fails
   * @param ask called if the version is unknown, and again after a failure
   */
  obtain(settings: ConnectionSettings, patienceMs: number, wait: WaitWithoutFork, ask: () => Promise<string>) {
    const controller = controllerIdentity(settings);
    const known = this.#known.get(controller);
    if (known !== undefined) return Promise.resolve(known);
    const key = JSON.stringify([controller, basicCredentials(settings), patienceMs]);
    const asked = this.#asked.get(key);
    if (asked !== undefined) return wait(() => asked);
    const begun = ask()
      .then((version) => {
        this.#known.set(controller, version);
        return version;
      })
      .finally(() => this.#asked.delete(key));
    this.#asked.set(key, begun);
    return begun;
  }
}

/**
 * The version in the controller's answer: `version.Version` or `version`. @param path path of the dialect that shows
 * it
 */
export async function askVersion(
  path: string,
  context: AnswerContext,
  ask: (call: ApiCall) => Promise<ApiAnswer>,
): Promise<string> {
  const tenant = context.settings.dialect.tenants?.default;
  const call: ApiCall = {
    method: 'GET',
    path,
    repeatable: true,
    isPublic: true,
    ...(tenant !== undefined && { tenant }),
  };
  const answer = await ask(call);
  if (answer.status !== 200) throw rejection(call, answer, context);
  const shown = entry(singleObject(call, answer, context), 'version');
  const version = isMapping(shown) ? entry(shown, 'Version') : shown;
  const [found] = /^\d+\.\d+\.\d+(?![\d.])/.exec(typeof version === 'string' ? version : '') ?? [];
  if (found !== undefined) return found;
  throw new ControllerError(call, 'the controller shows no version of three numbers');
}

/** The error of a request that was not sent, because its API version is unknown. */
export function withoutVersion(call: ApiCall, cause: ControllerError): ControllerError {
  const said = cause.route === undefined ? `cannot find out the API version: ${cause.message}` : cause.message;
  const details = notSentAfter(call, cause);
  const isRefused = cause.outcome === 'failed';
  return new ControllerError(call, said, isRefused ? { ...details, hint: 'set controller_api_version' } : details);
}
