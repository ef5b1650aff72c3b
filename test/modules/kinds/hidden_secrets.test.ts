import { expect } from 'chai';
import { KIND_ARGUMENTS } from '../../../modules/kinds/arguments.js';
import { loadKindModule } from '../../../modules/kinds/index.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { builtInKinds, type Field, type Kind, type Structure } from '../../../src/kinds/kind_table.js';
import { validateArguments } from '../../../src/module/arguments/validation.js';
import type { Plan } from '../../../src/module/contract.js';

const KINDS = builtInKinds().names.flatMap((name): readonly Kind[] => {
  const kind = builtInKinds().kind(name);
  return kind === undefined || kind.upload || kind.reported === true ? [] : [kind];
});
const OWN = Object.keys(KIND_ARGUMENTS.vendor.properties);
/** Their modules are not made from the table of kinds. */
const OTHERS: ReadonlySet<string> = new Set(['cloud', 'systemconfiguration']);
const HIDDEN = '<sensitive>';
const UNDECIDED = /^the controller hides a secret in "[\w.]+" that would tell which element is meant/;

async function plan(module: string, kind: Kind, args: Mapping, object: Mapping): Promise<Plan> {
  const loaded = await loadKindModule(module, builtInKinds());
  if (loaded?.type !== 'resource') throw new Error(`there is no ${module}`);
  const checked = validateArguments(loaded, { ...(!kind.single && { name: 'web' }), ...args }, 'rendered');
  if ('problems' in checked) throw new Error(checked.problems.map(({ message }) => message).join('\n'));
  return loaded.plan({ ...checked.args }, kind.single ? { status: 'found', object } : object);
}

/** Texts of a structure that may have any value. */
function texts({ fields }: Structure): readonly string[] {
  const isFree = ({ name, type, list, structure, choices }: Field): boolean =>
    type === 'string' &&
    !list &&
    structure === undefined &&
    choices === undefined &&
    !/_refs?$|^(?:uuid|url|name)$|^_/.test(name);
  return [...fields.values()].filter(isFree).map(({ name }) => name);
}

/** The lists of a kind whose elements have two texts, of which one is hidden here. */
const LISTS = KINDS.flatMap((kind) =>
  [...kind.structure.fields.values()].flatMap(({ name, list, structure }) => {
    const [plain, secret] = list && structure !== undefined ? texts(structure) : [];
    if (plain === undefined || secret === undefined || OWN.includes(name)) return [];
    const shown = (text: string): Mapping => ({ [plain]: text, [secret]: HIDDEN });
    const object: Mapping = { uuid: 'u-1', name: 'web', [name]: [shown('a'), shown('b')] };
    return [{ kind, name, plain, secret, shown, object }];
  }),
);

/** The list after the plan, with and without its secrets; or why it is refused. */
function listAfter(name: string, { change, refusal, keeping }: Plan): unknown {
  if (refusal !== undefined) return refusal;
  return change.kind === 'update' ? { sent: change.after[name], kept: keeping?.after[name] } : change.kind;
}

describe('a secret that a controller hides', () => {
  it('is in lists of many kinds', () => {
    expect(LISTS.length).to.be.greaterThan(20);
  });

  it('hinders no PATCH of the vendor in a list, and stays in the elements that stay', async () => {
    for (const { kind, name, plain, secret, shown, object } of LISTS) {
      const patch = (op: string, args: Mapping) =>
        plan(`avi_${kind.name}`, kind, { avi_api_update_method: 'patch', avi_api_patch_op: op, ...args }, object);
      const after = async (op: string, args: Mapping) => listAfter(name, await patch(op, args));
      const fresh = { [plain]: 'c', [secret]: 'new' };
      const [one, two] = [{ [plain]: 'a' }, { [plain]: 'b' }];
      const added = { sent: [one, two, fresh], kept: [shown('a'), shown('b'), fresh] };
      expect(await after('add', { [name]: [fresh] }), kind.name).to.deep.equal(added);
      expect(await after('add', { avi_patch_path: `/${name}/-`, avi_patch_value: fresh })).to.deep.equal(added);
      expect(await after('add', { [name]: [{ ...one, [secret]: 'new' }] })).to.equal('none');
      expect(await after('delete', { [name]: [two] })).to.deep.equal({ sent: [one], kept: [shown('a')] });
      for (const first of [{ avi_patch_path: `/${name}/0` }, { [name]: [one] }])
        expect(await after('delete', first)).to.include('other elements would move and lose the secrets');
      const inserted = { avi_patch_path: `/${name}/0`, avi_patch_value: fresh };
      expect(await after('add', inserted)).to.include('other elements would move and lose the secrets');
      for (const op of ['add', 'replace', 'delete'])
        expect(await after(op, { avi_patch_path: `/${name}/0/${plain}`, avi_patch_value: 'z' }), op).to.include(
          'the element would change and lose the secrets',
        );
      // What is named whole is as declared.
      const other = { [plain]: 'z' };
      expect(await after('replace', { avi_patch_path: `/${name}/0`, avi_patch_value: other })).to.deep.equal({
        sent: [other, two],
        kept: [other, shown('b')],
      });
      expect(await after('replace', { avi_patch_path: `/${name}`, avi_patch_value: [two] })).to.deep.equal({
        sent: [two],
        kept: undefined,
      });
      const placeholder = await after('add', { avi_patch_path: `/${name}/-`, avi_patch_value: shown('c') });
      expect(placeholder).to.match(/^"avi_patch_value\.\w+" is declared as "<sensitive>"/);
    }
  });

  it('says why it hinders a PATCH in a list inside an element', async () => {
    const gslb = builtInKinds().kind('gslb');
    if (gslb === undefined) throw new Error('there is no kind gslb');
    const sites = [{ name: 'a', password: HIDDEN, ip_addresses: [{ type: 'V4', addr: '192.0.2.1' }] }];
    const refusal = async (op: string): Promise<string | undefined> => {
      const value = { type: 'V4', addr: '192.0.2.2' };
      const patch = { avi_api_patch_op: op, avi_patch_path: '/sites/0/ip_addresses/0', avi_patch_value: value };
      const args = { avi_api_update_method: 'patch', ...patch };
      return (await plan('avi_gslb', gslb, args, { uuid: 'u-1', name: 'web', sites })).refusal;
    };
    expect(await refusal('replace')).to.include('the element would change and lose the secrets');
    for (const op of ['add', 'remove']) expect(await refusal(op)).to.include('other elements would move');
  });

  it('never decides which element of a list is meant', async () => {
    for (const { kind, name, plain, secret, object } of LISTS) {
      const [guess, both] = [{ [secret]: 'old' }, { [plain]: 'a', [secret]: 'old' }];
      const refusal = async (module: string, args: Mapping) => (await plan(module, kind, args, object)).refusal;
      const patch = { avi_api_update_method: 'patch', [name]: [guess] };
      const remove = { avi_api_update_method: 'patch', avi_api_patch_op: 'delete' };
      const [avi, present] = [`avi_${kind.name}`, `${kind.name}_present`];
      const cases: readonly (readonly [string, Mapping])[] = [
        [avi, patch],
        [avi, { ...remove, [name]: [guess] }],
        [avi, { ...remove, [name]: [both] }],
        [avi, { avi_api_update_method: 'patch', avi_patch_path: `/${name}/-`, avi_patch_value: guess }],
        ...(OTHERS.has(kind.name)
          ? []
          : ([
              [present, { without: { [name]: [guess] } }],
              [present, { without: { [name]: [both] } }],
              [present, { [name]: [guess], merge: { [name]: [secret] } }],
              [present, { [name]: [both], merge: { [name]: [plain, secret] } }],
              [present, { [name]: [guess], merge: { [name]: [] } }],
            ] as const)),
      ];
      for (const [module, args] of cases)
        expect(await refusal(module, args), `${module} ${JSON.stringify(args)}`).to.match(UNDECIDED);
      if (OTHERS.has(kind.name)) continue;
      const merged = await plan(present, kind, { [name]: [both], merge: { [name]: [plain] } }, object);
      expect([merged.change.kind, merged.refusal]).to.deep.equal(['none', undefined]);
    }
  });

  it('is compared with what was written last, by the modules of the vendor, too', async () => {
    let count = 0;
    for (const kind of KINDS)
      for (const field of texts(kind.structure)) {
        const argument = field === 'password' ? 'obj_password' : field;
        // The name of a user is its sign-in name.
        if (OWN.includes(argument) || field === 'username') continue;
        const object = { uuid: 'u-1', name: 'web', [field]: HIDDEN };
        const args = { [argument]: 'secret', password: 'of the connection' };
        const { change, hidden } = await plan(`avi_${kind.name}`, kind, args, object);
        expect([change.kind, hidden], `${kind.name} ${field}`).to.deep.equal(['none', [[field, 'secret']]]);
        const always = await plan(`avi_${kind.name}`, kind, { ...args, secrets: 'always' }, object);
        expect(always.change).to.deep.include({ kind: 'update', after: { ...object, [field]: 'secret' } });
        count += 1;
      }
    expect(count).to.be.greaterThan(100);
  });

  it('is that of its element, wherever a merged list has it', async () => {
    for (const { kind, name, plain, secret, object } of LISTS) {
      const fresh = { [plain]: 'b', [secret]: 'second' };
      const { hidden } = await plan(
        `avi_${kind.name}`,
        kind,
        { avi_api_update_method: 'patch', [name]: [fresh] },
        object,
      );
      expect(hidden, kind.name).to.deep.equal([[`${name}[1].${secret}`, 'second']]);
      const none = { secrets: 'always', avi_api_update_method: 'patch', [name]: [{ [plain]: 'b' }] };
      expect((await plan(`avi_${kind.name}`, kind, none, object)).change.kind, kind.name).to.equal('none');
    }
  });
});

describe('an object that a controller does not show', () => {
  const SINGLES = KINDS.filter(({ single }) => single);

  it('is never patched, because it would be replaced', async () => {
    expect(SINGLES.map(({ name }) => name)).to.include.members(['cluster', 'systemconfiguration']);
    for (const kind of SINGLES) {
      const module = await loadKindModule(`avi_${kind.name}`, builtInKinds());
      if (module?.type !== 'resource') throw new Error(kind.name);
      const lists = [...kind.structure.fields.values()].filter(({ name, list }) => list && !OWN.includes(name));
      const whole: Mapping = Object.fromEntries(lists.map(({ name }): readonly [string, Value] => [name, []]));
      const patches: readonly Mapping[] = [
        ...['add', 'replace', 'delete', 'remove'].map((op) => ({ avi_api_patch_op: op, ...whole })),
        ...['add', 'replace', 'remove'].map((op) => ({
          avi_api_patch_op: op,
          avi_patch_path: '/description',
          avi_patch_value: 'x',
        })),
      ];
      for (const patch of patches) {
        const checked = validateArguments(module, { avi_api_update_method: 'patch', ...patch }, 'rendered');
        if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
        const { change, refusal } = module.plan({ ...checked.args }, { status: 'unreadable', code: 405 });
        expect(change.kind, `${kind.name} ${JSON.stringify(patch)}`).to.equal('none');
        expect(refusal).to.match(/^the controller does not show the object, so it cannot be patched/);
      }
    }
  });
});
