import { expect } from 'chai';
import { loadKindModule } from '../../../modules/kinds/index.js';
import resourcePresent from '../../../modules/resource_present.js';
import { HIDDEN, type Mapping, type Value } from '../../../src/core/model/values/value.js';
import { builtInKinds, type Kind } from '../../../src/kinds/kind_table.js';
import { validateArguments } from '../../../src/module/arguments/validation.js';
import type { Module, Plan } from '../../../src/module/contract.js';

const TABLE = builtInKinds();
const KINDS = TABLE.names.flatMap((name): readonly Kind[] => {
  const kind = TABLE.kind(name);
  return kind === undefined || kind.upload || kind.reported === true ? [] : [kind];
});
/** Fields that find an object, or that are arguments of the modules. */
const OTHERS = /^(?:name|uuid|url|tenant|tenant_ref|cloud_ref|replace|secrets|match|merge|without|_.*)$/;

function plan(module: Module, args: Mapping, observed: unknown): Plan {
  if (module.type !== 'resource') throw new Error(`${module.name} is no resource`);
  const checked = validateArguments(module, args, 'rendered');
  if ('problems' in checked) throw new Error(checked.problems.map(({ message }) => message).join('\n'));
  return module.plan({ ...checked.args }, observed);
}

/** What the modules of a kind plan. `object`: as it is; undefined: there is none, or it is not shown. */
async function plans(kind: Kind, fields: Mapping, object: Mapping | undefined): Promise<readonly Plan[]> {
  const name = kind.single ? {} : { name: 'web' };
  const singleton = object === undefined ? { status: 'unreadable' } : { status: 'found', object };
  const observed = kind.single ? { type: 'singleton', singleton } : { type: 'member', member: object };
  const general = plan(resourcePresent, { kind: kind.name, ...name, properties: fields }, observed);
  const own = await loadKindModule(`${kind.name}_present`, TABLE);
  if (own === undefined) return [general];
  return [general, plan(own, { ...name, ...fields }, kind.single ? singleton : object)];
}

/** The objects that are sent, to controllers that keep secrets, too. */
function sentBy({ change, keeping }: Plan): readonly Mapping[] {
  if (change.kind !== 'create' && change.kind !== 'update') throw new Error('nothing is sent');
  return [change.after, ...(keeping === undefined ? [] : [keeping.after])];
}

const nullable = ({ structure }: Kind): readonly string[] =>
  [...structure.fields.keys()].filter((name) => !OTHERS.test(name));

describe('null for fields of every kind', () => {
  it('is not sent for a new object, at any depth', async () => {
    for (const kind of KINDS) {
      const fields = Object.fromEntries(
        nullable(kind).map((name): readonly [string, Value] => {
          const { structure, list } = kind.structure.fields.get(name) ?? {};
          const inner = structure && Object.fromEntries([...structure.fields.keys()].map((one) => [one, null]));
          return [name, inner === undefined ? null : list === true ? [inner] : inner];
        }),
      );
      for (const one of await plans(kind, fields, undefined))
        expect(JSON.stringify(sentBy(one)), kind.name).to.not.match(/:null/);
    }
  });

  it('removes what a controller shows or hides', async () => {
    for (const kind of KINDS) {
      const names = nullable(kind);
      const fields = Object.fromEntries(names.map((name) => [name, null]));
      for (const value of ['was set', HIDDEN]) {
        const object = { uuid: 'u-1', name: 'web', ...Object.fromEntries(names.map((name) => [name, value])) };
        for (const one of await plans(kind, fields, object)) {
          expect(sentBy(one), kind.name).to.deep.equal([{ uuid: 'u-1', name: 'web' }]);
          expect(one.warnings ?? [], kind.name).to.deep.equal([]);
        }
      }
    }
  });
});
