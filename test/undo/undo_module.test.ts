import { expect } from 'chai';
import type { Mapping } from '../../src/core/model/values/value.js';
import { undoModule } from '../../src/launch/undo/rollback_playbook.js';
import type { Module } from '../../src/module/contract.js';
import type { Undo } from '../../src/undo/undo.js';
import { EDGE, undoOf, update } from './rig.js';

type Resource = Extract<Module, { type: 'resource' }>;

/** The module, and what it asks of a controller that has this object. */
function restoring(undo: Undo, object: Mapping | undefined) {
  const asked: string[] = [];
  const module = undoModule(new Map([['1', undo]]), false) as Resource;
  const session = {
    find: (collection: string, name: string) => {
      asked.push(`find ${name} in ${collection}`);
      return Promise.resolve(object);
    },
    single: (path: string) => {
      asked.push(`single ${path}`);
      return Promise.resolve({ status: 'found', object: object ?? {} } as const);
    },
    remove: (path: string) => {
      asked.push(`remove ${path}`);
      return Promise.resolve();
    },
    create: (collection: string) => {
      asked.push(`create in ${collection}`);
      return Promise.resolve(undefined);
    },
    replace: (path: string, body: Mapping) => {
      asked.push(`replace ${path} mtu ${JSON.stringify(body['mtu'])}`);
      return Promise.resolve();
    },
  };
  return { module, session, asked };
}

const after = { ...EDGE, mtu: 9000 };
const written = undoOf(update(1, EDGE, after, { seen: after }));
const ARGS = { undo: '1' };

describe('the module that restores one object', () => {
  it('finds a member of a collection by its name, and replaces it', async () => {
    const { module, session, asked } = restoring(written, after);
    const observed = await module.read(ARGS, session);
    await module.apply(ARGS, module.plan(ARGS, observed), observed, session);
    expect(asked).to.deep.equal(['find edge in /api/cloud/', 'replace /api/cloud/cloud-1 mtu 1500']);
  });

  it('finds a renamed member by either name, but does not write if another one has its former name', async () => {
    const renamed = { ...EDGE, name: 'west' };
    const undo = undoOf(update(1, EDGE, renamed, { seen: renamed }));
    const { module, session } = restoring(undo, undefined);
    const planWith = async (...objects: readonly Mapping[]) => {
      const named = (name: string) => Promise.resolve(objects.find((one) => one['name'] === name));
      const observed = await module.read(ARGS, { ...session, find: (_in: string, name: string) => named(name) });
      return module.plan(ARGS, observed);
    };
    expect((await planWith(renamed)).change).to.have.nested.property('after.name', 'edge');
    expect((await planWith(EDGE)).change.kind).to.equal('none');
    const other = { ...EDGE, uuid: 'cloud-9' };
    expect((await planWith(renamed, other)).refusal).to.equal(
      'cloud "edge" is not restored: its former name "edge" belongs to cloud-9 now; rename or delete that one and roll back again',
    );
    for (const [objects, reason] of [
      [[], 'no longer exists'],
      [[other], 'no longer exists'],
      [[{ ...other, name: 'west' }], 'has been replaced'],
    ] as const)
      expect((await planWith(...objects)).refusal).to.include(reason);
  });

  it('writes nothing if nothing is left to restore', async () => {
    const { module, session, asked } = restoring(written, EDGE);
    const observed = await module.read(ARGS, session);
    await module.apply(ARGS, module.plan(ARGS, observed), observed, session);
    expect(asked).to.deep.equal(['find edge in /api/cloud/']);
  });

  it('reads a single object at its path', async () => {
    const { module, session, asked } = restoring({ ...written, member: undefined, path: '/api/one' }, after);
    await module.read(ARGS, session);
    expect(asked).to.deep.equal(['single /api/one']);
  });

  it('does not read what must not be restored', async () => {
    const { module, session, asked } = restoring({ ...written, refusal: 'was deleted since' }, after);
    const observed = await module.read(ARGS, session);
    expect(observed).to.have.property('observed', undefined);
    expect(module.plan(ARGS, observed)).to.have.property('refusal', 'was deleted since');
    expect(asked).to.deep.equal([]);
  });
});
