import { RegularExpression } from '../regular_expression/regular_expression.js';

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

/** Whether a text contains one of the characters that make Ansible match controllers as well as groups. */
export function looksBeyondGroups(text: string): boolean {
  return /[.?*[]/.test(text);
}

/**
 * The names that a glob (`*`, `?`, `[abc]`, `[!abc]`) matches as a whole, or that a regular expression (`~…`) matches
 * at their beginning. Undefined if the expression is not valid. The matcher throws a TooSlow error as expressions do.
 */
export function nameMatcher(pattern: string): ((name: string) => boolean) | undefined {
  if (!pattern.startsWith('~') && !/[?*[]/.test(pattern)) return (name) => name === pattern;
  const expression = pattern.startsWith('~')
    ? fromPython(pattern.slice(1))
    : { text: `${globText(pattern)}$`, flags: 's' };
  try {
    const regex = new RegularExpression(`^(?:${expression.text})`, expression.flags);
    return (name) => regex.test(name);
  } catch {
    return undefined;
  }
}

/** Translates Python's syntax, which Ansible users write, where JavaScript's differs. */
function fromPython(text: string): { text: string; flags: string } {
  const [, flags = '', rest = text] = /^\(\?([ims]+)\)(.*)$/s.exec(text) ?? [];
  const spelled = rest.replaceAll('(?P<', '(?<').replaceAll(/\(\?P=(\w+)\)/g, String.raw`\k<$1>`);
  return { text: spelled.replaceAll(String.raw`\A`, '^').replaceAll(String.raw`\Z`, '$'), flags };
}

function globText(glob: string): string {
  let text = '';
  for (let at = 0; at < glob.length; at += 1) {
    const set = glob[at] === '[' ? /^\[(!?)(\]?[^\]]*)\]/.exec(glob.slice(at)) : null;
    text += set === null ? one(glob.charAt(at)) : charSet(set[1] === '!', set[2] ?? '');
    if (set !== null) at += set[0].length - 1;
  }
  return text;
}

function one(char: string): string {
  if (char === '*') return '.*';
  return char === '?' ? '.' : char.replaceAll(SPECIAL, String.raw`\$&`);
}

/** A reversed range matches nothing, as in Python. */
function charSet(negated: boolean, members: string): string {
  const kept = members.replaceAll(/(.)-(.)/gs, (range, from: string, to: string) => (from > to ? '' : range));
  return `[${negated ? '^' : ''}${kept.replaceAll(/[\\\]^[]/g, String.raw`\$&`)}]`;
}
