import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as Type from 'typebox';
import {
  defineAction,
  isMapping,
  type ActionContext,
  type ActionResult,
  type Mapping,
  type Value,
} from '../src/module/contract.js';
import { filledText } from '../src/module/schema.js';
import { belowHome, filePlaces } from './file_transfer/local_file.js';
import { filesIn, type FolderChoice } from './include_vars/folder.js';

const list = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }));

const args = Type.Object(
  {
    file: Type.Optional(filledText('The file; `include_vars: stage.yml` is the short form.')),
    dir: Type.Optional(filledText('A folder: its files are read in sorted order; later files win.')),
    depth: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Number of folder levels to read, including `dir`; 0: all.' }),
    ),
    files_matching: Type.Optional(
      Type.String({ description: 'Only files whose names match this regular expression.' }),
    ),
    ignore_files: list(
      'Regular expressions for the ends of names to skip; a string can contain several, separated by spaces.',
    ),
    extensions: Type.Array(Type.String(), {
      default: ['yaml', 'yml', 'json'],
      description: 'Allowed extensions of files in `dir`.',
    }),
    ignore_unknown_extensions: Type.Boolean({
      default: false,
      description: 'Skip files with other extensions; by default they are an error.',
    }),
    name: Type.Optional(filledText('Put all variables into a mapping of this name.')),
    hash_behaviour: Type.Optional(
      Type.Union([Type.Literal('replace'), Type.Literal('merge')], {
        description: '`merge`: mappings are merged into the existing variables of the same names.',
      }),
    ),
  },
  {
    additionalProperties: false,
    needsOne: ['file', 'dir'],
    exclusive: ['dir', 'depth', 'files_matching', 'ignore_files'].map((one) => ['file', one]),
  },
);

type Args = Type.Static<typeof args>;

export default defineAction({
  name: 'include_vars',
  summary: 'reads variables from files during the run',
  description:
    'Looks for relative names near the task: in `vars/` of its role, in the role, in `vars/` next to the playbook, and next to the playbook. The variables stay until the end of the run; variables that tasks set and register override them.',
  args,
  examples: [
    `
- include_vars: '{{stage}}.yml'
`,
    `
- include_vars:
    dir: vars/defaults
    name: defaults
`,
  ],
  freeForm: 'file',
  check: true,
  run: (given: Args, context: ActionContext): Promise<ActionResult> =>
    given.dir === undefined ? fromFile(given, context) : fromFolder(given, given.dir, context),
});

async function fromFile(given: Args, context: ActionContext): Promise<ActionResult> {
  const file = given.file?.trim() ?? '';
  if (file === '') return failed('include_vars needs "file" or "dir"');
  const places = filePlaces(context.searchPath(), file.split('/')[0] === 'vars' ? '' : 'vars', file);
  const found = await firstThatIs('isFile', places);
  if (found !== undefined) return included(given, [found], context);
  const folder = await firstThatIs('isDirectory', places);
  return folder === undefined
    ? failed(`there is no variables file ${file}; looked in ${places.join(', ')}`)
    : failed(`${folder} is a folder`, 'to read all of its files, write "dir" instead of "file"');
}

async function fromFolder(given: Args, dir: string, context: ActionContext): Promise<ActionResult> {
  const role = context.variable('role_path');
  const { ignore_files: ignored = [] } = given;
  const choice: FolderChoice = {
    depth: given.depth ?? 0,
    matching: given.files_matching,
    // A text can contain several patterns, separated by white space, as in Ansible.
    ignored: typeof ignored === 'string' ? (ignored.match(/\S+/g) ?? []) : ignored,
    extensions: given.extensions,
    otherExtensions: given.ignore_unknown_extensions ? 'leave out' : 'refuse',
  };
  const files = await filesIn(findFolder(belowHome(dir), role, context.searchPath()), choice);
  return typeof files === 'string' ? failed(files) : included(given, files, context);
}

/** The folder of a relative name. In a role, it is below `vars`. */
function findFolder(dir: string, role: unknown, [here = '.']: readonly string[]): string {
  if (typeof role !== 'string') return path.resolve(here, dir);
  return dir.split('/')[0] === 'vars' ? path.resolve(role, dir) : path.resolve(role, 'vars', dir);
}

async function included(
  { name, hash_behaviour }: Args,
  files: readonly string[],
  context: ActionContext,
): Promise<ActionResult> {
  const read: Mapping[] = [];
  for (const file of files) read.push((await context.readVariables(file)) ?? {});
  const found: Mapping = Object.fromEntries(read.flatMap((values) => Object.entries(values)));
  const named: Mapping = name === undefined ? found : { [name]: found };
  const values = hash_behaviour === 'merge' ? mergeOver(named, (variable) => context.variable(variable)) : named;
  return {
    status: 'ok',
    effect: { type: 'variables', values },
    values: { ansible_facts: values, ansible_included_var_files: files },
  };
}

function failed(message: string, hint?: string): ActionResult {
  return { status: 'failed', message, hint };
}

/** Merges the variables into the existing ones: mappings key by key, other values as a whole. */
function mergeOver(values: Mapping, before: (name: string) => Value | undefined): Mapping {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, merged(before(name), value)]));
}

function merged(before: Value | undefined, value: Value): Value {
  if (!isMapping(before) || !isMapping(value)) return value;
  const over = Object.entries(value).map(([name, one]) => [name, merged(before[name], one)] as const);
  return { ...before, ...Object.fromEntries(over) };
}

async function firstThatIs(kind: 'isFile' | 'isDirectory', places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    if ((await stat(place).catch(() => undefined))?.[kind]() === true) return place;
  }
  return undefined;
}
