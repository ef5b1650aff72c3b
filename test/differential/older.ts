import { isDeepStrictEqual } from 'node:util';
import type { Columns } from '../rig/columns.js';

/** Where the newest ansible-core differs from 2.14 and we keep to 2.14. `docs/coming-from-ansible.md` has a line for each. */
interface Older {
  readonly because: string;
  /** Titles of cases (or a part that they share), by the name of their file; texts, by their kind. */
  readonly cases: Readonly<Record<string, readonly (string | RegExp)[]>>;
}

const OLDER: readonly Older[] = [
  {
    because: 'texts that look like a list or mapping become one: playbooks loop over them',
    cases: { variables: ['texts that become lists, mappings and numbers'] },
  },
  {
    because: 'conditions may be values of any type, and may hold braces: public playbooks are full of both',
    cases: {
      corpus_clusters: [
        'checks before anything else',
        'downloads that a table describes',
        'an upgrade, node by node, with draining and rescue',
      ],
      corpus_hosting: ['rules that several layers combine'],
      statements: ['statements in conditions'],
      tasks: ['when as an expression, a list and a literal'],
      keywords: ['when in braces as a whole', 'when with braces in it', 'braces in other conditions'],
      variables: ['set_fact makes booleans of words'],
      conditions: [
        '0',
        '5',
        'env',
        'nothing',
        'flag_text',
        'no_text',
        'zero',
        'empty',
        'regions',
        'config',
        'condition_text',
        'n == {{ n }}',
        '"text"',
        '""',
        '[]',
      ],
    },
  },
  {
    because: '"include" and a list under "vars" still run',
    cases: {
      keywords: [
        'include of a file that is named without a template',
        'tags of an include apply to its tasks',
        'include of a file that a template names',
        'include in a loop',
        'include in an included file',
        'include among the handlers',
        'vars as a list of mappings',
      ],
      includes: [
        'arguments of include in a file that include_tasks passes them to',
        'arguments of include beside set_fact',
      ],
    },
  },
  {
    because: 'a role runs once for lists in any order, also of tags',
    cases: { roles: ['a role twice with lists in another order'] },
  },
  {
    because: 'only a controller that failed is rescued; "any_errors_fatal" and "run_once" send the others nowhere',
    cases: {
      failures: ['any_errors_fatal and a rescue', 'any_errors_fatal and a rescue that fails'],
      once: ['run_once fails and is rescued by all'],
      meta: ['clear_host_errors in the always of a block that run_once ended'],
      together: ['run_once for a block with a rescue that fails'],
    },
  },
  {
    because: 'a handler that notifies itself runs once',
    cases: { handlers: ['a handler notifies itself'] },
  },
  {
    because: 'handlers of several roles may have one name; each that listens to a topic runs',
    cases: {
      roles: ['handlers of roles and of the play', 'handlers of included roles', 'handlers of imported roles'],
    },
  },
  {
    because: 'variables of a role\'s entry under "roles" beat those of the play and of the role',
    cases: {
      roles: ['parameters of a role', 'variables for an included role'],
      precedence: ['defaults refer to parameters, and variables to defaults'],
      orders: ['roles', 'a handler of the role', 'behind roles', 'behind import_role'],
    },
  },
  {
    because: 'variables of import_role are seen by the whole play',
    cases: { roles: ["a role's argument specification, missing and with a wrong choice"] },
  },
  {
    because: 'a role has its name once in ansible_play_role_names',
    cases: { roles: ['dependencies of included and imported roles'] },
  },
  {
    because: 'a variable that is not defined reads "VARIABLE IS NOT DEFINED!" in "debug: var"',
    cases: { tasks: ['debug of a variable, an expression and something undefined'] },
  },
  {
    because: 'every keyword of a task may come to "omit"',
    cases: {
      tasks: [
        'keywords that come to omit have their defaults',
        'keywords that evaluate to omit are inherited',
        'run_once that evaluates to omit',
      ],
    },
  },
  {
    because: 'there are no facts to gather',
    cases: { together: ['limit, tags, extra variables and a later start, all at once'] },
  },
  {
    because:
      'first_found looks beside the file of the task, takes the paths of earlier terms, and overlooks no undefined variable',
    cases: {
      roles: ['what a task of a role sees'],
      with: ['with_first_found takes the first name that exists', 'with_first_found finds nothing'],
      expressions: [/first_found", \[?"/],
    },
  },
  {
    because: 'with_together, with_nested and with_items still take texts and mappings for lists',
    cases: {
      with: ['with_together', 'with_nested and with_cartesian', 'with_items over a mapping has its keys'],
    },
  },
  {
    because: 'what is undefined may be in a list, and tests other than "defined" do not hold for it',
    cases: {
      expressions: [
        ...[
          'none',
          'string',
          'number',
          'mapping',
          'boolean',
          'integer',
          'float',
          'sequence',
          'true',
          'sameas none',
        ].map((test) => `missing is ${test}`),
        'servers | map(attribute="tls") | list | length',
      ],
    },
  },
  {
    because: 'a bug of the newest, or the insides of Python',
    cases: {
      expressions: [
        'servers | groupby("tls", default=false) | map("first") | list',
        'n is sameas 5',
        'missing | type_debug',
        'missing.a | type_debug',
        'config.nope | type_debug',
        'query("sequence", "start=0x0f end=0x11 format=%04x")',
      ],
      templates: ['{{ nothing }}{{ nothing }}'],
    },
  },
  {
    because:
      'a change is seen wherever the list or mapping is; the newest copies what it adds to a list or takes out of one',
    cases: {
      templates: [
        '{% set d = {} %}{% set out = [] %}{% set _ = out.append(d) %}{% set _ = d.update({"a": 1}) %}{{ out | to_json }}.',
        '{% set a = {"l": []} %}{% set b = a.copy() %}{% set _ = b.l.append(1) %}{{ a | to_json }}.',
        '{% set a = [{"n": 1}] %}{% set x = a | first %}{% set _ = x.update({"z": 1}) %}{{ a | to_json }}.',
        '{% set out = [] %}{% for r in regions %}{% set d = {"r": r} %}{% set _ = out.append(d) %}{% set _ = d.update({"n": loop.index}) %}{% endfor %}{{ out | to_json }}.',
      ],
    },
  },
  {
    because: 'lists as sets keep the order of their items; the newest has them in an order that is chance',
    cases: { expressions: [/\| (union|intersect|difference|symmetric_difference)\(/], corpus_stacks: [/./] },
  },
  {
    because:
      'a text that a template wrote is the list, mapping or boolean that it looks like: "body: { … }" in quotes relies on it',
    cases: {
      templates: [
        /^(\[|\{(?![{%#]))/,
        '{{ "[" }}{{ n }}]',
        '{{ "[" ~ n ~ "]" }}{{ "" }}',
        '{{ "True" }}{{ "" }}',
        'Tr{{ "ue" }}',
        '{{ "{" }}{{ "}" }}',
      ],
    },
  },
  {
    because: 'a text with statements is a text, or the list or mapping that it looks like',
    cases: {
      corpus_hosting: [
        'accounts from several lists, with groups that they need',
        'servers of a web site, written by a template for each',
      ],
      statements: ['lists and mappings made by statements', 'template files'],
      templates: [/\{%/],
      conditions: [/\{[%#]/],
    },
  },
  {
    because: 'the collection that 2.14 has beside it does not understand the texts of the newest',
    cases: { expressions: [/community\.general\.json_query/] },
  },
  {
    because: 'lookup("template") makes a list of a text that is one',
    cases: {
      expressions: ['lookup("template", "list.j2")'],
      templates: ['{{ lookup("template", "list.j2") }}'],
    },
  },
  {
    because: 'an "if" without "else" is an empty text, and "range" a list',
    cases: { templates: ['{{ "a" if canary }}', '{{ range(3) }}', /^\{\{ n -\}\}\s*$/] },
  },
  {
    because: 'a value that aliases share is written once in "--list -y", with an anchor',
    cases: { inventories: ['YAML, anchors, aliases and merge keys'] },
  },
  {
    because: 'text that must not be rendered is marked so in "--host", as it is in "--list"',
    cases: { inventories: ['YAML, unsafe texts'] },
  },
  {
    because: 'an IPv6 address is one name in a pattern; read as several, "2001:db8::*" means the whole fleet',
    cases: { patterns: ['tree: fe80::1:odd', 'tree: 2001:db8::*', 'flat: 2001:db8::1:web'] },
  },
  {
    because: 'a missing file of variables is an error',
    cases: { plays: ['a variable file that is missing'] },
  },
];

/** The expected answers by title: those of the newest, except for the above. */
export function followed<T>(
  file: string,
  { reference, newest }: Columns<Readonly<Record<string, T>>>,
): Readonly<Record<string, T>> {
  const older = OLDER.flatMap(({ cases }) => cases[file] ?? []);
  for (const title of older)
    if (typeof title === 'string' && isDeepStrictEqual(reference[title], newest[title]))
      throw new Error(`older.ts: both answer the same to "${title}" of ${file}`);
  const isOlder = (title: string): boolean =>
    older.some((one) => one === title || (one instanceof RegExp && one.test(title)));
  const entries = Object.entries(newest).map(([title, answer]) => {
    const then = reference[title];
    return [title, isOlder(title) && then !== undefined ? then : answer] as const;
  });
  return Object.fromEntries(entries);
}
