import { expect } from 'chai';
import type { FleetComparison } from '../../src/capture/capture_fleet.js';
import { compareControllers, isEqualEverywhere } from '../../src/capture/compare/compare.js';
import { comparisonText } from '../../src/capture/compare/text.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { builtInKinds } from '../../src/kinds/kind_table.js';
import { createPalette } from '../../src/reporting/text/palette.js';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { DEAD_CONTROLLER } from '../rig/waits.js';

const TASKS = `
- hosts: all
  tasks:
    - cloud_present: { name: edge, mtu: 9000, vcenter_configuration: { username: admin, password: Blue-Whale-42 } }
    - cloud_present: { name: edge, mtu: 1400, vcenter_configuration: { password: Red-Whale-4242 } }
      when: inventory_hostname == 'lb2'
    - cloud_present: { name: spare }
      when: inventory_hostname == 'lb3'
`;

describe('evenkeel compare', () => {
  let project: Project;
  let fleet: Fleet;

  before(async () => {
    fleet = await startFleet({ controllers: ['lb1', 'lb2', 'lb3'] });
    project = await emptyProject({ 'setup.yml': TASKS });
    const { code, stdout } = await evenkeel(['run', 'setup.yml', '-i', fleet.inventoryFile], {
      cwd: project.directory,
    });
    expect(code, stdout).to.equal(0);
  });
  after(() => Promise.all([fleet.dispose(), project.remove()]));

  const compare = (...args: readonly string[]) =>
    evenkeel(['compare', '-i', fleet.inventoryFile, ...args], { cwd: project.directory });

  it('names the differing controllers and fields, without secrets; exit 3', async () => {
    const { code, stdout } = await compare();
    expect(code).to.equal(3);
    expect(stdout).to.equal(
      `compared 3 controllers: 2 differ from the majority: lb2, lb3
cloud "edge": equal on 2 controllers
  different on lb2
    - mtu: 9000
    + mtu: 1400
    ~ vcenter_configuration.password: ‹secret changed›
cloud "spare": only on lb3
1 other object equal on all 3 controllers
`,
    );
  });

  it('takes references to objects of one name for equal, also where no task can name them', async () => {
    await project.write(
      'pools.yml',
      `- hosts: all
  tasks:
    - { cloud_present: { name: edge }, register: edge }
    - resource_present: { path: /api/pool/, name: web, properties: { cloud_ref: '/api/cloud/{{ edge.object.uuid }}' } }
`,
    );
    const { code, stdout } = await evenkeel(['run', 'pools.yml', '-i', fleet.inventoryFile], {
      cwd: project.directory,
    });
    expect(code, stdout).to.equal(0);
    expect((await compare('--kind', 'cloud', '--kind', 'pool')).stdout).to.match(
      /^1 other object equal on all 3 controllers$/m,
    );
  });

  it('has the same content as JSON', async () => {
    const { code, stdout } = await compare('--json');
    expect(code).to.equal(3);
    expect(stdout).to.not.include('Whale');
    const { objects, controllers } = JSON.parse(stdout) as { controllers: string[]; objects: object[] };
    expect(controllers).to.deep.equal(['lb1', 'lb2', 'lb3']);
    expect(objects).to.deep.include({
      kind: 'cloud',
      name: 'spare',
      cloud: null,
      tenant: null,
      equal: false,
      majority: ['lb3'],
      different: [],
      missing: ['lb1', 'lb2'],
      individual: [],
    });
  });

  it('exits with 0 if all are equal', async () => {
    const { code, stdout } = await compare('--kind', 'systemconfiguration', '--limit', 'lb1,lb2');
    expect(stdout).to.equal('compared 2 controllers\n1 object equal on all 2 controllers\n');
    expect(code).to.equal(0);
  });

  it('exits with 4 if a controller or a kind cannot be read, though the others are equal', async () => {
    await project.write('lb9.yml', `all: { hosts: { lb9: { ${DEAD_CONTROLLER} } } }`);
    const away = await compare('-i', 'lb9.yml', '--kind', 'systemconfiguration');
    expect(away.code, away.stdout + away.stderr).to.equal(4);
    expect(away.stdout)
      .to.include('compared 3 controllers\n')
      .and.to.match(/^not read: lb9: .*ECONNREFUSED/m);
    const alone = await evenkeel(['compare', '-i', 'lb9.yml'], { cwd: project.directory });
    expect(alone.code).to.equal(4);
    expect(alone.stdout).to.match(/^not read: lb9: .*\nnothing was compared\n$/);
    const lb3 = fleet.controller('lb3');
    lb3.behaviour = { unreadable: 405 };
    const silent = await compare('--kind', 'systemconfiguration');
    lb3.behaviour = {};
    expect(silent.code).to.equal(4);
    expect(silent.stdout).to.include('1 object equal on all controllers that show them\n');
    expect(silent.stdout).to.match(/^not read: lb3: systemconfiguration: GET \/api\/systemconfiguration: .*405/m);
  });

  it('groups controllers that fail for the same cause, despite different addresses', async () => {
    const hosts = Object.fromEntries(
      [7, 8, 9].map((port) => [`lb${port}`, { controller_url: `https://127.0.0.1:${port}` }]),
    );
    await project.write('away.yml', JSON.stringify({ all: { hosts } }));
    const { stdout } = await compare('-i', 'away.yml');
    expect(stdout.match(/^not read: .*/gm), stdout)
      .to.have.lengthOf(1)
      .and.to.match(/^not read: 3 controllers: lb7, lb8, lb9: .*127\.0\.0\.1:7 .*ECONNREFUSED/);
  });

  it('says what to do for a controller that cannot be read', async () => {
    const { code, stdout } = await compare('-e', 'controller_password=');
    expect(code).to.equal(4);
    expect(stdout).to.match(
      /^not read: 3 controllers: lb1, lb2, lb3: controller_password is empty \(set it in the inventory, or pass -k; if it comes from the environment, export that variable\)$/m,
    );
  });

  it('does not report values that come from the variables of each controller, except secrets', async () => {
    await project.write(
      'setup_places.yml',
      `- hosts: all
  tasks: [cloud_present: { name: placed, description: '{{ place }}', banner: '{{ snmp_community }}' }]
`,
    );
    const hosts = Object.fromEntries(
      fleet.names.map((name, at) => [
        name,
        { place: ['Rome', 'Oslo', 'Bern'][at], snmp_community: `Blue-Whale-${at}` },
      ]),
    );
    await project.write('places.yml', JSON.stringify({ all: { hosts } }));
    const run = await evenkeel(['run', 'setup_places.yml', '-i', fleet.inventoryFile, '-i', 'places.yml'], {
      cwd: project.directory,
    });
    expect(run.code, run.stdout).to.equal(0);
    const { stdout } = await compare('-i', 'places.yml', '--kind', 'cloud');
    expect(stdout)
      .to.include('cloud "placed": equal on 1 controller')
      .and.not.match(/Blue-Whale|description|snmp_community/);
  });

  it('refuses a kind that is mistyped', async () => {
    const { code, stderr } = await compare('--kind', 'cluod');
    expect(code).to.equal(1);
    expect(stderr).to.include('there is no kind "cluod"').and.to.include('did you mean "cloud"?');
  });

  it('leaves nothing on disk', async () => {
    const before = await evenkeel(['runs', '--json'], { cwd: project.directory });
    await compare();
    expect(await evenkeel(['runs', '--json'], { cwd: project.directory })).to.deep.equal(before);
  });

  it('names three of 200 controllers on one screen', () => {
    const names = Array.from({ length: 200 }, (_, at) => `lb${at + 1}.example.com`);
    const odd = new Map([
      [names[16], 1400],
      [names[99], 9000],
      [names[180], 1400],
    ]);
    const controllers = names.map((name) => {
      const fields = { name: 'edge', mtu: odd.get(name) ?? 1500, label: `of ${name}` };
      const object = { kind: 'cloud', name: 'edge', cloud: undefined, fields, refers: [], builtIn: false };
      return { name, kinds: new Set(['cloud']), objects: [object], variables: new Map<string, string>() };
    });
    const objects = compareControllers(controllers, builtInKinds());
    const comparison: FleetComparison = {
      objects,
      controllers: names,
      kinds: ['cloud'],
      unread: [],
      interrupted: false,
      isEqual: objects.every(isEqualEverywhere),
    };
    const lines = comparisonText(comparison, new Secrets(), createPalette(false)).trimEnd().split('\n');
    expect(lines).to.have.lengthOf.at.most(24);
    expect(lines[0]).to.equal(
      'compared 200 controllers: 3 differ from the majority: lb17.example.com, lb100.example.com, lb181.example.com',
    );
    expect(lines).to.include('  different on 2 controllers: lb17.example.com, lb181.example.com');
  });
});
