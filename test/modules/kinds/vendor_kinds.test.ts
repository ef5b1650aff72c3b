import { expect } from 'chai';
import { loadKindModule } from '../../../modules/kinds/index.js';
import { SERVER_FIELDS } from '../../../src/core/model/run/result.js';
import { getOrAdd } from '../../../src/core/model/values/groups.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { builtInKinds, type Field, type Kind, type Structure } from '../../../src/kinds/kind_table.js';
import { secretArguments, validateArguments } from '../../../src/module/arguments/validation.js';
import { SCOPE } from '../../../src/module/comparison/comparison.js';
import type { Module, ResourceModule } from '../../../src/module/contract.js';

const KINDS: readonly Kind[] = builtInKinds().names.flatMap((name) => {
  const kind = builtInKinds().kind(name);
  return kind === undefined || kind.upload || name === 'backup' ? [] : [kind];
});

const MODULES = new Map<string, Promise<Module | undefined>>();

async function moduleFor({ name }: Kind): Promise<ResourceModule> {
  const module = await getOrAdd(MODULES, name, () => loadKindModule(`avi_${name}`, builtInKinds()));
  if (module?.type !== 'resource') throw new Error(`there is no avi_${name}`);
  return module;
}

/** What the module of a kind would leave of an object, or why it would not. */
async function planned(kind: Kind, args: Mapping, before: Mapping | undefined): Promise<unknown> {
  const module = await moduleFor(kind);
  const checked = validateArguments(module, args, 'rendered');
  if ('problems' in checked) return checked.problems.map(({ message }) => message);
  const observed = kind.single ? { status: 'found', signIn: 'session', object: before } : before;
  const { change, refusal } = module.plan({ ...checked.args }, observed);
  return refusal ?? (change.kind === 'update' || change.kind === 'create' ? change.after : change.kind);
}

/** A field of a kind, below mappings, and a value for it. */
interface Sample {
  readonly kind: Kind;
  readonly path: readonly string[];
  readonly field: Field;
}

/** The fields of a kind that are in mappings, as deep as that. */
function fieldsIn(kind: Kind, structure: Structure, depth: number, above: readonly string[] = []): readonly Sample[] {
  return [...structure.fields.values()].flatMap((field): readonly Sample[] => {
    const path = [...above, field.name];
    const isBelow = field.structure !== undefined && !field.list && depth > 0;
    return [{ kind, path, field }, ...(isBelow ? fieldsIn(kind, field.structure, depth - 1, path) : [])];
  });
}

/** Different values for different numbers, none the default; undefined if the field has too few. */
function scalar({ type, structure, choices, range, name, default: usual }: Field, number: number): Value | undefined {
  if (structure !== undefined) {
    const inner = [...structure.fields.values()].find((one) => !one.list && scalar(one, number) !== undefined);
    return inner && { [inner.name]: scalar(inner, number) ?? null };
  }
  if (choices !== undefined) return choices.filter((one) => one !== usual)[number];
  if (type === 'string') return /_refs?$/.test(name) ? `/api/pool/pool-${number}` : `text ${number}`;
  if (type !== 'integer' && type !== 'number') return undefined;
  const value = (range?.[0] ?? 0) + number;
  return value === usual ? value + 3 : value;
}

const at = ([name = '', ...rest]: readonly string[], value: Value): Mapping => ({
  [name]: rest.length === 0 ? value : at(rest, value),
});
/** Fields with names of arguments, which the collection gives other names. */
const RENAMED: readonly string[] = ['username', 'password', 'state'];

const identity = ({ single }: Kind): Mapping => (single ? {} : { name: 'web' });

describe("the modules of the vendor's collection, for each kind", () => {
  describe('and each list in a mapping', () => {
    const lists = KINDS.flatMap((kind) => fieldsIn(kind, kind.structure, 3)).flatMap((sample) => {
      if (!sample.field.list || sample.path.length === 1) return [];
      const elements = [0, 1, 2].flatMap((number) => scalar(sample.field, number) ?? []);
      return elements.length < 3 ? [] : [{ ...sample, elements }];
    });
    const patch = (operation: string): Mapping => ({
      avi_api_update_method: 'patch',
      avi_api_patch_op: operation,
    });

    const cases = [
      ['add what the list lacks', 'add', [0, 1], [1, 2], [0, 1, 2]],
      ['take away what matches', 'delete', [0, 1], [1, 2], [0]],
      ['replace it', 'replace', [0, 1], [2], [2]],
    ] as const;
    for (const [title, operation, present, declared, left] of cases)
      it(title, async () => {
        expect(lists).to.have.length.above(150);
        for (const { kind, path, elements } of lists) {
          const list = (numbers: readonly number[]): Mapping =>
            at(
              path,
              numbers.map((number) => elements[number] ?? null),
            );
          const args = { ...identity(kind), ...patch(operation), ...list(declared) };
          const before = { ...identity(kind), uuid: 'x', ...list(present) };
          const after = { ...before, ...list(left) };
          expect(await planned(kind, args, before), `${kind.name} ${path.join('.')}`).to.deep.equal(after);
          expect(await planned(kind, args, after), `${kind.name} ${path.join('.')}`).to.equal('none');
        }
      });
  });

  it('take no field for an argument of the connection, but those that the collection renames', async () => {
    const credentials = { controller: 'lb1', username: 'admin', password: 'p' };
    const connection = { controller_url: 'https://lb1', controller_username: 'admin', controller_password: 'p' };
    for (const kind of KINDS) {
      const fields = [...kind.structure.fields.values()].flatMap((field): readonly (readonly [string, Value])[] => {
        const value = scalar(field, 1);
        return value === undefined || field.list || RENAMED.includes(field.name) ? [] : [[field.name, value]];
      });
      const args = { ...Object.fromEntries(fields), ...identity(kind), avi_credentials: credentials };
      const module = await moduleFor(kind);
      expect(module.connection?.(args), kind.name).to.include(connection).and.not.have.any.keys('controller_timeout');
      const after = await planned(kind, args, identity(kind));
      const sent = fields.map(([name]) => name).filter((name) => !SERVER_FIELDS.includes(name) && name !== 'name');
      expect(after, kind.name).to.include.keys(...sent);
    }
  });

  describe('and each of its fields', () => {
    const fields = KINDS.flatMap((kind) => fieldsIn(kind, kind.structure, 1)).flatMap((sample) => {
      const { path, field } = sample;
      const one = scalar(field, 1);
      const isIdentity = ['name', ...SERVER_FIELDS, ...RENAMED].includes(path[0] ?? '') || path.includes('state');
      return one === undefined || isIdentity ? [] : [{ ...sample, value: field.list ? [one] : one }];
    });
    const put = (kind: Kind, path: readonly string[], value: Value): Mapping => ({
      ...identity(kind),
      ...at(path, value),
    });

    it('count as not given if they are null', async () => {
      for (const { kind, path, value } of fields)
        expect(await planned(kind, put(kind, path, null), put(kind, path, value)), path.join('.')).to.equal('none');
    });

    it('count as not given if they are an empty list, except with PATCH and replace', async () => {
      for (const { kind, path, value, field } of fields.filter((one) => one.field.list)) {
        const [args, before] = [put(kind, path, []), put(kind, path, value)];
        expect(await planned(kind, args, before), field.name).to.equal('none');
        const replace = { ...args, avi_api_update_method: 'patch', avi_api_patch_op: 'replace' };
        expect(await planned(kind, replace, before), field.name).to.deep.equal(args);
      }
    });

    it('are removed if they are {state: absent}, once', async () => {
      // A controller never changes where an object is.
      for (const { kind, path, value } of fields.filter((one) => !SCOPE.has(one.path.join('.')))) {
        const args = put(kind, path, { state: 'absent' });
        const left = put(kind, path.slice(0, -1), {});
        const after = path.length === 1 ? identity(kind) : left;
        expect(await planned(kind, args, put(kind, path, value)), path.join('.')).to.deep.equal(after);
        expect(await planned(kind, args, after), path.join('.')).to.equal('none');
      }
    });

    it('are references in a patch, too', async () => {
      for (const { kind, path, field } of fields.filter((one) => /_refs?$/.test(one.field.name))) {
        const [sent, shown] = ['/api/pool/pool-1', 'https://lb1/api/pool/pool-1#web'];
        const args = {
          ...identity(kind),
          avi_api_update_method: 'patch',
          avi_patch_path: `/${[...path, ...(field.list ? ['-'] : [])].join('/')}`,
          avi_patch_value: sent,
        };
        const before = put(kind, path, field.list ? [shown] : shown);
        expect(await planned(kind, args, before), path.join('.')).to.equal('none');
      }
    });

    it('mask their secrets in a patch, too', async () => {
      const secrets = fields.filter(({ field }) => field.secret === true && !field.list);
      expect(secrets).to.have.length.above(10);
      for (const { kind, path } of secrets) {
        const args = { ...identity(kind), avi_api_update_method: 'patch' };
        const below = { avi_patch_path: `/${path.join('/')}`, avi_patch_value: 'Red-Fox-43' };
        const [last = ''] = path.slice(-1);
        const around = { avi_patch_path: `/${path.slice(0, -1).join('/')}`, avi_patch_value: `{${last}: Red-Fox-43}` };
        for (const patch of path.length === 1 ? [below] : [below, around]) {
          const checked = validateArguments(await moduleFor(kind), { ...args, ...patch }, 'rendered');
          if ('problems' in checked) throw new Error(checked.problems[0]?.message);
          expect(secretArguments(await moduleFor(kind), checked.args), path.join('.')).to.include('Red-Fox-43');
        }
      }
    });
  });
});
