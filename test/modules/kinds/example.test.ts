import { expect } from 'chai';
import { writeExample } from '../../../modules/kinds/example.js';
import {
  builtInKindNames,
  kindModules,
  loadKindModule,
  modulesOfKind,
  modulesOfTable,
  vendorModules,
  vendorModulesInTable,
} from '../../../modules/kinds/index.js';
import { builtInKinds, KindTable } from '../../../src/kinds/kind_table.js';

describe('the example of a kind', () => {
  const table = new KindTable({
    kinds: { door: 'Door', gate: { structure: 'Gate', single: true }, network: 'Gate' },
    structures: {
      Door: {
        required: ['name', 'colour', 'width', 'height', 'open', 'tags', 'hinge', 'more', 'note', 'labels', 'lost'],
        fields: {
          name: 'string',
          note: 'any',
          labels: 'mapping',
          open: 'boolean',
          tags: '[Hinge]',
          hinge: 'Hinge',
          colour: { type: 'string', choices: ['RED', 'BLUE'] },
          width: { type: 'integer', range: [3, 9] },
          height: 'number',
          more: { type: 'integer', default: 7 },
        },
      },
      Hinge: { required: ['metal'], fields: { metal: 'string', optional: 'string' } },
      Gate: { fields: { name: 'string' } },
    },
  });
  const example = (name: string) => {
    const kind = table.kind(name);
    return kind && writeExample(kind, `${name}_present`);
  };

  it('has a sample of each field that is required', () => {
    expect(example('door')).to.equal(`
- name: A door exists
  door_present:
    name: web
    colour: "RED"
    width: 3
    height: 1
    open: true
    tags: []
    hinge: {"metal":"text"}
    more: 7
    note: "text"
    labels: {}
    lost: "text"
`);
    expect(example('gate')).to.equal('\n- name: The gate is configured\n  gate_present:\n');
    expect(example('network')).to.match(
      /^\n- name: A network exists\n {2}network_present:\n {4}name: web\n {4}configured_subnets:\n/,
    );
  });
});

describe('the modules of kinds', () => {
  it('are two for most kinds, and one where there is nothing to create or delete', () => {
    const of = (kind: object) => modulesOfTable({ kinds: { x: 'X', y: { structure: 'Y', ...kind } } });
    expect(of({})).to.deep.equal(['x_present', 'x_absent', 'y_present', 'y_absent']);
    expect(of({ single: true })).to.deep.equal(['x_present', 'x_absent', 'y_present']);
    expect(of({ upload: true })).to.deep.equal(['x_present', 'x_absent', 'y_absent']);
    expect(modulesOfTable({ kinds: { cloud: 'X', backup: 'X', systemconfiguration: 'X' } })).to.deep.equal([]);
    expect(vendorModulesInTable({ kinds: { x: 'X', y: 'Y' } })).to.deep.equal(['avi_x', 'avi_y']);
    expect([modulesOfKind('x'), modulesOfKind('systemconfiguration')]).to.deep.equal([
      ['x_present', 'x_absent'],
      ['system_config'],
    ]);
  });

  it('are those of the built-in kinds', () => {
    expect(builtInKindNames).to.deep.equal(builtInKinds().names);
    const has = (...names: readonly string[]) => names.map((name) => kindModules.includes(name));
    expect(has('pool_present', 'pool_absent', 'cluster_present', 'image_absent')).to.deep.equal([
      true,
      true,
      true,
      true,
    ]);
    expect(has('cluster_absent', 'image_present', 'cloud_present', 'backup_absent')).to.deep.equal(
      Array(4).fill(false),
    );
    expect(new Set(vendorModules).size).to.equal(vendorModules.length);
    const vendor = (...names: readonly string[]) => names.map((name) => vendorModules.includes(name));
    expect(vendor('avi_pool', 'avi_cloud', 'avi_webapput', 'avi_api_session', 'avi_useraccount')).to.deep.equal(
      Array(5).fill(true),
    );
    expect(vendor('avi_backup', 'avi_image', 'pool')).to.deep.equal([false, false, false]);
  });

  it('are loaded by their names', async () => {
    const table = builtInKinds();
    const names = ['pool_present', 'pool_absent', 'cluster_present', 'avi_pool'];
    const loaded = await Promise.all(names.map((name) => loadKindModule(name, table)));
    expect(loaded.map((module) => module?.name)).to.deep.equal(names);
    expect(loaded.map((module) => (module?.type === 'resource' ? module.kind : undefined))).to.deep.equal([
      'pool',
      'pool',
      'cluster',
      'pool',
    ]);
    for (const name of ['cluster_absent', 'image_present', 'pool_other', 'none_present', 'pool', 'cloud_present'])
      expect(await loadKindModule(name, table), name).to.equal(undefined);
  });
});
