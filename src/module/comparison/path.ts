import * as Type from 'typebox';

/** Collections are addressed with a slash at the end (API document, section 4). */
export function collectionPath(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** A path on the controller, below its base URL; it cannot reach anything outside `/api/`. */
export const API_PATH = Type.String({
  pattern: '^/api(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]+)+/?$',
  expects: 'a path under /api/, such as /api/cloud/',
  description: 'Path below the base URL of the controller: `/api/…`.',
});
