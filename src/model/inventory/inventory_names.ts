/**
 * Line breaks, escape sequences and characters that change the direction of text: a name must look the same in every
 * output.
 */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Why a name is invalid in an inventory; undefined if it is valid. */
export function nameRefusal(what: 'controller' | 'group', name: string): string | undefined {
  if (name === '') return `a ${what} needs a name`;
  return CONTROLS.test(name)
    ? `the name of a ${what} must not contain control characters: ${JSON.stringify(name)}`
    : undefined;
}
