import { expect } from 'chai';
import { loadKindModule } from '../../../modules/kinds/index.js';
import { SERVER_FIELDS } from '../../../src/core/model/run/result.js';
import { getOrAdd } from '../../../src/core/model/values/groups.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { builtInKinds, type Field, type Kind, type Structure } from '../../../src/kinds/kind_table.js';
import { validateArguments } from '../../../src/module/arguments/validation.js';
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

/** Different values for different numbers; undefined if the field has too few. */
function scalar({ type, structure, choices, range, name }: Field, number: number): Value | undefined {
  if (structure !== undefined) {
    const inner = [...structure.fields.values()].find((one) => !one.list && scalar(one, number) !== undefined);
    return inner && { [inner.name]: scalar(inner, number) ?? null };
  }
  if (choices !== undefined) return choices[number];
  if (type === 'string') return /_refs?$/.test(name) ? `/api/pool/pool-${number}` : `text ${number}`;
  if (type === 'integer' || type === 'number') return (range?.[0] ?? 0) + number;
  return undefined;
}

const at = ([name = '', ...rest]: readonly string[], value: Value): Mapping => ({
  [name]: rest.length === 0 ? value : at(rest, value),
});
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
    const renamed = ['username', 'password', 'state'];
    for (const kind of KINDS) {
      const fields = [...kind.structure.fields.values()].flatMap((field): readonly (readonly [string, Value])[] => {
        const value = scalar(field, 1);
        return value === undefined || field.list || renamed.includes(field.name) ? [] : [[field.name, value]];
      });
      const args = { ...Object.fromEntries(fields), ...identity(kind), avi_credentials: credentials };
      const module = await moduleFor(kind);
      expect(module.connection?.(args), kind.name).to.include(connection).and.not.have.any.keys('controller_timeout');
      const after = await planned(kind, args, identity(kind));
      const sent = fields.map(([name]) => name).filter((name) => !SERVER_FIELDS.includes(name) && name !== 'name');
      expect(after, kind.name).to.include.keys(...sent);
    }
  });
});
