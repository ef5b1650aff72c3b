import * as Type from 'typebox';
import type { Static } from 'typebox';
import { builtInKinds } from '../src/kinds/built_in_kinds.js';
import type { Kinds } from '../src/kinds/kind_table.js';
import {
  defineAction,
  type ActionContext,
  type ActionResult,
  type Mapping,
  type Module,
} from '../src/module/contract.js';
import { chooseNamesake } from '../src/module/comparison/namesakes.js';
import { recordOf } from '../src/module/arguments/record.js';
import { isCollection, kindProblem, PATH_OR_KIND, pathOf, READ_TARGET } from '../src/module/comparison/target.js';

const args = Type.Object(
  {
    ...READ_TARGET,
    query: Type.Optional(
      recordOf(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'More query parameters, which Evenkeel encodes.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Only these fields of each object, such as `name` or `default_server_port`; default: all.',
      }),
    ),
    same_name: Type.Enum(['fail', 'omit'], {
      default: 'fail',
      description:
        'What to do about objects that share a name, such as those of several clouds: `fail`, or `omit` the name from `by_name`. `objects` always has all of them.',
    }),
  },
  { additionalProperties: false, ...PATH_OR_KIND },
);

type Args = Static<typeof args>;

/** The module for a project's kinds. */
export const withKinds = (kinds: Kinds): Module =>
  defineAction({
    name: 'resource_facts',
    summary: 'reads objects of the controller into a variable',
    description:
      'Reads all pages of a collection, or a single object. The result has `objects` (a list), `count`, and `by_name` (objects by their name; several of one name are an error, see `same_name`). References show the name of their object (`URL#name`) if the dialect of the controller can do that. Changes nothing.',
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
    run: (given: Args, context: ActionContext): Promise<ActionResult> => readFacts(given, context, kinds),
  });

export default withKinds(builtInKinds);

async function readFacts(given: Args, context: ActionContext, kinds: Kinds): Promise<ActionResult> {
  const problem = kindProblem(given, kinds);
  if (problem !== undefined) return { status: 'failed', message: problem };
  const { name } = given;
  const own = Object.entries(given.query ?? {}).map(([key, value]) => [key, String(value)] as const);
  const query = Object.fromEntries([...(name === undefined ? [] : [['name', name] as const]), ...own]);
  const { objects } = await context.list(pathOf(given, kinds), { query, paged: isCollection(given, kinds) });
  // Some controllers take the name for a part of names.
  const meant = name === undefined ? objects : objects.filter((object) => object['name'] === name);
  const names = byName(meant, given);
  if (typeof names === 'string') return { status: 'failed', message: names };
  const shown = meant.map((object) => selected(object, given.fields));
  const values = { objects: shown, count: shown.length, by_name: names };
  return { status: 'ok', message: `${shown.length} ${shown.length === 1 ? 'object' : 'objects'}`, values };
}

function selected(object: Mapping, fields: readonly string[] | undefined): Mapping {
  if (fields === undefined) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => fields.includes(name)));
}

/** Objects by their names; a sentence if several share a name. */
function byName(objects: readonly Mapping[], { fields, same_name: shared }: Args): Mapping | string {
  const groups = new Map<string, Mapping[]>();
  for (const object of objects) {
    const { name } = object;
    if (typeof name !== 'string') continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [object]);
    else group.push(object);
  }
  const entries: (readonly [string, Mapping])[] = [];
  for (const [name, group] of groups) {
    const chosen = chooseNamesake(group, name);
    if (chosen.type === 'one') entries.push([name, selected(chosen.object, fields)]);
    else if (chosen.type === 'several' && shared === 'fail') return `${chosen.message}; ${HOW_TO_PICK}`;
  }
  return Object.fromEntries(entries);
}

const HOW_TO_PICK =
  'narrow the read with "tenant" or "query" (cloud_ref.name or uuid), or set "same_name: omit" and pick from "objects"';
