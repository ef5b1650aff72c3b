import type { GroupedTexts } from '../../src/ui/server.js';

/** For tests of pages without plans and drift. */
export const NO_TEXTS: GroupedTexts = {
  plan: () => Promise.resolve({ status: 'refused', diagnostics: [] }),
  drift: () => Promise.resolve(undefined),
};
