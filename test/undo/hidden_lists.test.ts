import { expect } from 'chai';
import { HIDDEN, type Mapping, type Value } from '../../src/core/model/values/value.js';
import { builtInKinds, type Structure } from '../../src/kinds/kind_table.js';
import { planUpdate } from '../../src/module/planning.js';
import { planUndo } from '../../src/undo/plan_undo.js';
import { EDGE, undoOf, update } from './rig.js';

interface SecretList {
  readonly path: readonly string[];
  readonly secret: string;
}

/** The lists of a structure, also in mappings, whose elements have a secret. */
function secretLists({ fields }: Structure, above: readonly string[] = []): readonly SecretList[] {
  return [...fields.values()].flatMap(({ name, list, structure }) => {
    if (structure === undefined || above.length > 3) return [];
    const path = [...above, name];
    if (!list) return secretLists(structure, path);
    const secret = [...structure.fields.values()].find((field) => field.secret === true);
    return secret === undefined ? [] : [{ path, secret: secret.name }];
  });
}

const LISTS = builtInKinds().names.flatMap((name) => {
  const kind = builtInKinds().kind(name);
  return kind === undefined ? [] : secretLists(kind.structure).map((list) => ({ kind: name, ...list }));
});

const objectWith = (path: readonly string[], list: readonly Value[]): Mapping =>
  path.reduceRight<Value>((inner, name) => ({ [name]: inner }), list) as Mapping;

const shown = (id: string, secret: string): Mapping => ({ id, a_ref: `https://lb1/api/pool/${id}`, [secret]: HIDDEN });
const bare = (id: string): Mapping => ({ id, a_ref: `https://lb1/api/pool/${id}` });

/** What the rollback of an update sends to a controller that keeps the secrets of placeholders, and its warnings. */
function rolledBack(before: Mapping, fields: Mapping, seen: Mapping) {
  const desired = { object: 'cloud "edge"', path: '/api/cloud/', fields, replace: false } as const;
  const { change, keeping } = planUpdate({ ...desired, secrets: 'on_create' }, before);
  if (change.kind !== 'update') throw new Error('nothing to write');
  const undo = undoOf(update(1, before, keeping?.after ?? change.after, { seen }));
  const plan = planUndo(undo, { status: 'found', object: seen }, false);
  if (plan.change.kind !== 'update') throw new Error('nothing to restore');
  const unfounded = plan.keeping?.unfounded ?? [];
  const others = (plan.warnings ?? []).filter((one) => !unfounded.includes(one));
  return {
    sent: plan.change.after,
    kept: plan.keeping?.after,
    warnings: [...others, ...(plan.keeping?.warnings ?? [])],
    foretold: undo.neverShown,
  };
}

describe('a rollback of a list whose elements have secrets', () => {
  it('keeps those of elements that stay in their place, in every kind', () => {
    expect(LISTS.length).to.be.greaterThan(5);
    for (const { kind, path, secret } of LISTS) {
      const list = (...elements: readonly Mapping[]): Mapping => ({ ...EDGE, ...objectWith(path, elements) });
      const [a, b] = [shown('a', secret), shown('b', secret)];
      const added = objectWith(path, [bare('a'), { ...bare('b'), [secret]: 'new' }]);
      expect(rolledBack(list(a), added, list(a, b)), `${kind} ${path.join('.')}`).to.deep.equal({
        sent: list(bare('a')),
        kept: list(a),
        warnings: [],
        foretold: [],
      });
      const named = { ...a, a_ref: 'https://lb1/api/pool/a#a' };
      expect(rolledBack(list(a), added, list(named, b)).kept, kind).to.deep.equal(list(a));
    }
  });

  it('loses those of elements that the run took away or moved, and says so', () => {
    const [a, b] = [shown('a', 'password'), shown('b', 'password')];
    const sites = (...elements: readonly Mapping[]): Mapping => ({ ...EDGE, sites: elements });
    const lost = (at: number): string =>
      `cloud "edge": "sites[${at}].password" cannot be restored, because the controller never showed it`;
    expect(rolledBack(sites(a, b), { sites: [bare('a')] }, sites(a))).to.deep.equal({
      sent: sites(bare('a'), bare('b')),
      kept: sites(a, bare('b')),
      warnings: [lost(1)],
      foretold: ['sites[1].password'],
    });
    const swapped = { sites: [bare('b'), bare('a')].map((one) => ({ ...one, password: 'new' })) };
    expect(rolledBack(sites(a, b), swapped, sites(b, a))).to.deep.equal({
      sent: sites(bare('a'), bare('b')),
      kept: undefined,
      warnings: [lost(0), lost(1)],
      foretold: ['sites[0].password', 'sites[1].password'],
    });
  });

  it('foretells the loss of a secret that the run replaced', () => {
    const a = shown('a', 'password');
    const sites = (...elements: readonly Mapping[]): Mapping => ({ ...EDGE, sites: elements });
    const replaced = { mtu: 9, sites: [{ ...bare('a'), password: 'new' }, { ...bare('b') }] };
    const { kept, foretold } = rolledBack(sites(a), replaced, { ...sites(a, bare('b')), mtu: 9 });
    expect(kept).to.deep.equal(sites(a));
    expect(foretold).to.deep.equal(['sites[0].password']);
  });
});
