import * as Type from 'typebox';

/** A path on the controller, below its base URL; nothing outside `/api/` can be reached with it. */
export const API_PATH = Type.String({
  pattern: '^/api(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]+)+/?$',
  expects: 'a path under /api/, such as /api/cloud/',
  description: 'Path below the base URL of the controller: `/api/…`.',
});
