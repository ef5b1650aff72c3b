import { expect } from 'chai';
import { KIND_ARGUMENTS } from '../../../modules/kinds/arguments.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { builtInKinds, type Field, type Kind, type Structure } from '../../../src/kinds/kind_table.js';
import { needsOthers } from '../../rig/needed_objects.js';
import { shareOf } from '../../rig/random_seed.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';
import { runTasks } from '../../rig/task_run.js';

const KINDS = builtInKinds().names.flatMap((name): readonly Kind[] => {
  const kind = builtInKinds().kind(name);
  if (kind === undefined || kind.single || kind.upload || kind.reported === true) return [];
  return needsOthers(kind.structure) ? [] : [kind];
});

const VENDOR = Object.keys(KIND_ARGUMENTS.vendor.properties);

/** The structure as a task may write it: what it needs, and null for everything else. */
function sparse({ required, fields }: Structure, depth: number): Mapping {
  return Object.fromEntries(
    [...fields.values()].map((field) => [
      field.name,
      required.includes(field.name) ? sample(field, depth) : within(field, depth),
    ]),
  );
}

/** Null, or one level deeper: a mapping with nulls, which is possible if nothing in it is required by others. */
function within({ structure, list }: Field, depth: number): Value {
  return structure === undefined || list || depth === 0 || needsOthers(structure) ? null : sparse(structure, depth - 1);
}

function sample({ list, structure, choices, type, range, default: usual }: Field, depth: number): Value {
  if (list) return structure === undefined ? [] : [sparse(structure, depth)];
  if (structure !== undefined) return sparse(structure, depth);
  if (usual !== undefined) return usual;
  if (type === 'boolean') return true;
  return type === 'integer' || type === 'number' ? (range?.[0] ?? 1) : (choices?.[0] ?? 'text');
}

/** Fields of other objects, which need not exist, and of the tenant and cloud that are chosen otherwise. */
function withoutReferences(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Mapping).flatMap(([name, item]) =>
      /_refs?$/.test(name) && item !== null ? [] : [[name, withoutReferences(item)] as const],
    ),
  );
}

describe('null for a field of a kind', () => {
  let fleet: Fleet;
  beforeEach(async () => {
    fleet = await startFleet({ dialect: 'avi' });
  });
  afterEach(() => fleet.dispose());

  async function statuses(...tasks: readonly Mapping[]): Promise<readonly string[]> {
    const { results } = await runTasks(fleet, tasks, {});
    return results.map(({ status, message }) => (status === 'failed' ? `failed: ${message ?? ''}` : status));
  }

  for (const depth of [0, 1])
    it(`means a missing one, which may have a default: ${depth === 0 ? 'in every kind' : 'also in mappings'}`, async () => {
      for (const module of ['present', 'avi'] as const) {
        const tasks = shareOf(KINDS, { change: 36, gate: 24 }, depth).map(({ name, structure }): Mapping => {
          const fields = withoutReferences(sparse(structure, depth)) as Mapping;
          if (module === 'present') return { [`${name}_present`]: { ...fields, name: 'present' } };
          const own = Object.entries(fields).filter(([field]) => !VENDOR.includes(field));
          return { [`avi_${name}`]: { ...Object.fromEntries(own), name: 'avi' } };
        });
        for (const task of tasks) {
          const [first, second] = [await statuses(task), await statuses(task)];
          expect(first, JSON.stringify(task).slice(0, 120)).to.deep.equal(['changed']);
          expect(second, JSON.stringify(task).slice(0, 120)).to.deep.equal(['ok']);
        }
      }
    });

  it('gives a field its default again, and removes one without', async () => {
    const pool = (fields: Mapping): Mapping => ({ pool_present: { name: 'web', ...fields } });
    await statuses(pool({ lb_algorithm: 'LB_ALGORITHM_ROUND_ROBIN', description: 'here', enabled: false }));
    const reset = pool({ lb_algorithm: null, description: null, enabled: null });
    expect(await statuses(reset)).to.deep.equal(['changed']);
    expect(await statuses(reset)).to.deep.equal(['ok']);
    const [web] = fleet.controller('lb1').objects('/api/pool/');
    expect(web).to.include({ lb_algorithm: 'LB_ALGORITHM_LEAST_CONNECTIONS', enabled: true });
    expect(web).to.not.have.property('description');
  });

  it('in an element of a list that is merged', async () => {
    const server = { ip: { type: 'V4', addr: '10.0.0.1' }, port: 80, ratio: null, hostname: null };
    const pool = { pool_present: { name: 'web', servers: [server], merge: { servers: ['ip.addr', 'port'] } } };
    expect(await statuses(pool)).to.deep.equal(['changed']);
    expect(await statuses(pool)).to.deep.equal(['ok']);
  });

  it('is as good as a missing one in avi_api_session and resource_present, and for query parameters', async () => {
    const data = { name: 'web', lb_algorithm: null, description: null };
    const session = { avi_api_session: { http_method: 'post', path: 'pool', data, params: null } };
    const resource = { resource_present: { path: '/api/pool', name: 'web', properties: { lb_algorithm: null } } };
    expect(await statuses(session, session, resource)).to.deep.equal(['changed', 'ok', 'ok']);
    const reads = [
      { avi_api_session: { http_method: 'get', path: 'pool', params: null } },
      { api_request: { path: '/api/pool', query: null } },
      { resource_facts: { kind: 'pool', query: null } },
    ];
    expect(await statuses(...reads)).to.deep.equal(['ok', 'ok', 'ok']);
  });
});
