/**
 * Line breaks, escape sequences and what turns the direction of writing: a name must look in every output like what it
 * is.
 */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Why nothing of an inventory can be called that; undefined if it can. */
export function nameRefusal(what: 'controller' | 'group', name: string): string | undefined {
  if (name === '') return `a ${what} needs a name`;
  return CONTROLS.test(name)
    ? `the name of a ${what} must not contain control characters: ${JSON.stringify(name)}`
    : undefined;
}
