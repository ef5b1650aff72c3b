import fc from 'fast-check';

/** An inventory and patterns over its names. */
export interface Fleet {
  /** YAML, which is JSON too. */
  readonly inventory: string;
  readonly patterns: readonly string[];
}

const CONTROLLERS = ['a1', 'a2', 'a10', 'b1', 'b2', 'ab', 'x.eu', 'y.eu', 'y.us', 'z-1'];
const GROUPS = ['ga', 'gb', 'gc', 'gd', 'g.e', 'b2'];

/** The children of a group come after it, so that no group contains itself. */
const inventory = fc
  .tuple(
    ...GROUPS.map((_, index) =>
      fc.record({
        hosts: fc.subarray(CONTROLLERS),
        children: fc.subarray(GROUPS.slice(index + 1)),
      }),
    ),
  )
  .map((groups) => {
    const named = groups.map(({ hosts, children }, index) => [
      GROUPS[index],
      { hosts: keys(hosts), children: keys(children) },
    ]);
    // Each controller is in a group: Ansible mistakes one without for the group of its name.
    const rest = { first: { hosts: keys(CONTROLLERS.toReversed()) } };
    return JSON.stringify({ ...rest, ...Object.fromEntries(named) });
  });

function keys(names: readonly string[]): Readonly<Record<string, null>> {
  return Object.fromEntries(names.map((name) => [name, null]));
}

const name = fc.constantFrom(...CONTROLLERS, ...GROUPS, 'all', 'ungrouped', 'nobody');
const glob = fc.constantFrom('*', 'a*', '?1', '*.eu', 'g?', '[ab]*', '[!ab]*', '[a-c]?', '*[12]', 'b[c-a]', 'y.*');
const regex = fc.constantFrom('~a', '~a$', '~.*1', '~(a|b)1', '~g[a-c]', '~[^ab]', '~y\\.', '~(?i)A1');
const numbers = fc.constantFrom('0', '1', '-1', '-2', '0:1', '1:', '0:0', '1:2', '0-1', '1:9');
const part = fc.tuple(fc.oneof(name, glob), numbers).map(([of, which]) => `${of}[${which}]`);
const named = fc.oneof({ weight: 4, arbitrary: name }, glob, regex, part);
const term = fc.tuple(fc.constantFrom('', '', '', '&', '!'), named).map((both) => both.join(''));
const pattern = fc
  .tuple(fc.array(term, { minLength: 1, maxLength: 4 }), fc.constantFrom(',', ':', ', '))
  .map(([terms, separator]) => terms.join(separator));

/** The same ones each time. */
export function fleets(count: number, seed: number): readonly Fleet[] {
  const patterns = fc.array(pattern, { minLength: 25, maxLength: 25 });
  return fc.sample(fc.record({ inventory, patterns }), { numRuns: count, seed });
}
