import { printable, type Asker } from './answer_text.js';
import { ControllerError } from './controller_error.js';
import type { Call } from './exchange.js';

/** The path of the next page, below the controller's URL. Links that lead elsewhere are refused: the credentials would go with the request. */
export function nextPath(call: Call, next: string, asker: Asker): string {
  const controllerUrl = asker.settings.url;
  const here = controllerUrl + call.path;
  const there = URL.canParse(next, here) ? new URL(next, here) : undefined;
  const base = new URL(controllerUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  if (there?.origin !== base.origin || !there.pathname.startsWith(`${prefix}/`))
    throw astray(call, printable(next, asker));
  return there.pathname.slice(prefix.length) + there.search;
}

function astray(call: Call, next: string): ControllerError {
  return new ControllerError(`the next page is said to be elsewhere (${next}); it is not followed`, {
    outcome: 'failed',
    method: call.method,
    path: call.path,
    hint: 'is controller_url the address that the controller knows itself by?',
  });
}
