import * as Type from 'typebox';
import { builtInKinds, type Kinds } from '../src/kinds/kind_table.js';
import {
  isCollection,
  knownKindFields,
  PATH_OR_KIND,
  READ_ARGUMENTS,
  objectsPath,
  toQuery,
} from '../src/module/comparison/object_arguments.js';
import {
  defineAction,
  type ActionContext,
  type ActionResult,
  type Mapping,
  type Module,
} from '../src/module/contract.js';
import { textRecord } from '../src/module/schema.js';

const args = Type.Object(
  {
    ...READ_ARGUMENTS,
    query: textRecord('More query parameters, which Evenkeel encodes.'),
    fields: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Only these fields of each object, such as `name` or `default_server_port`; default: all.',
      }),
    ),
  },
  { additionalProperties: false, ...PATH_OR_KIND },
);

type Args = Type.Static<typeof args>;

/** The module for a project's kinds. */
export const withKinds = (kinds: Kinds): Module =>
  defineAction({
    name: 'resource_facts',
    summary: 'reads objects of the controller into a variable',
    description:
      'Reads all pages of a collection, or a single object. The result has `objects` (a list), `count`, `by_name` (objects by their name), and `ambiguous` (names that several objects have, such as objects of several clouds; `by_name` lacks them). References have the name of their object (`URL#name`) if the dialect has names. Changes nothing.',
    args,
    examples: [
      `
- name: Read the pools
  resource_facts:
    kind: pool
    fields: [name, uuid, default_server_port]
  register: pools

- debug:
    msg: '{{ pools.by_name.web.default_server_port | default("no pool web") }}'
`,
    ],
    check: true,
    knownFieldsFor: (given) => knownKindFields(given, kinds),
    run: (given: Args, context: ActionContext): Promise<ActionResult> => readFacts(given, context, kinds),
  });

export default withKinds(builtInKinds);

async function readFacts(given: Args, context: ActionContext, kinds: Kinds): Promise<ActionResult> {
  const { name } = given;
  const options = { query: toQuery(given), paged: isCollection(given, kinds) };
  const { objects } = await context.list(objectsPath(given, kinds), options);
  // Some controllers return every object whose name contains the text.
  const meant = name === undefined ? objects : objects.filter((object) => object['name'] === name);
  const shown = meant.map((object) => selected(object, given.fields));
  const values = { objects: shown, count: shown.length, ...byName(meant, shown) };
  return { status: 'ok', message: `${shown.length} ${shown.length === 1 ? 'object' : 'objects'}`, values };
}

function selected(object: Mapping, fields: readonly string[] | undefined): Mapping {
  if (fields === undefined) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => fields.includes(name)));
}

/** Objects by their names. Omits objects that share a name, because the first one may be the wrong one. */
function byName(objects: readonly Mapping[], shown: readonly Mapping[]): { by_name: Mapping; ambiguous: string[] } {
  const named = new Map<string, Mapping>();
  const ambiguous = new Set<string>();
  for (const [index, { name }] of objects.entries()) {
    const one = shown[index];
    if (typeof name !== 'string' || one === undefined) continue;
    if (named.has(name)) ambiguous.add(name);
    named.set(name, one);
  }
  for (const name of ambiguous) named.delete(name);
  return { by_name: Object.fromEntries(named), ambiguous: [...ambiguous] };
}
