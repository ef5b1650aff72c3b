import { asText } from '../../template/runtime/text.js';
import type { Variables } from '../../template/scope.js';

/** The variable that names the site of a controller. */
export const SITE = 'evenkeel_site';

/** The site that a controller's variables name, which may be a template. Undefined: none. */
export function siteIn(variables: Variables): string | undefined {
  const site = variables.get(SITE) ?? null;
  return site === null || site === '' ? undefined : asText(site);
}

/** Also if its site is not known before the run. */
export function mayHaveSite(variables: Variables): boolean {
  try {
    return siteIn(variables) !== undefined;
  } catch {
    return true;
  }
}
