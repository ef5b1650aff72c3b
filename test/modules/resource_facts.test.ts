import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { isMapping, type Mapping } from '../../src/core/model/values/value.js';
import { DEFAULT_CREDENTIALS } from '../../src/simulator/service/accounts.js';
import { startAviController, type AviController } from '../rig/avi_controller.js';
import { inFolder } from '../rig/folder.js';
import { mistakes, playOf } from '../rig/loaded.js';
import { runText, type Ran } from '../rig/run_text.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

describe('resource_facts', () => {
  let fleet: Fleet;
  beforeEach(async () => {
    fleet = await startFleet();
  });
  afterEach(() => fleet.dispose());

  async function facts(args: string, tasks = ''): Promise<Mapping> {
    const playbook = `- hosts: all\n  tasks:\n${tasks}    - resource_facts: ${args}\n      register: found\n`;
    const ran = await runText(playbook, { inventory: fleet.inventory, verbosity: 1 });
    return valuesOf(ran);
  }

  it('reads all pages of a collection, even in check mode', async () => {
    const tasks = `    - cloud_present: { name: 'edge-{{item}}', mtu: 1500 }\n      loop: "{{ range(30) | list }}"\n`;
    const values = await facts('{ kind: cloud, fields: [name, mtu] }', tasks);
    expect(values['count']).to.equal(30);
    expect(values).to.have.nested.property('by_name.edge-29').that.deep.equals({ name: 'edge-29', mtu: 1500 });
    const { requests } = fleet.controller('lb1');
    const before = requests.length;
    const playbook = '- hosts: all\n  tasks: [{ resource_facts: { path: /api/cloud/ } }]\n';
    const ran = await runText(playbook, { inventory: fleet.inventory, check: true });
    expect(ran.lines).to.deep.equal(['lb1 resource_facts: ok']);
    expect(requests.slice(before).every(({ method }) => method === 'GET')).to.equal(true);
  });

  it('returns only objects with exactly the name', async () => {
    const tasks = `    - cloud_present: { name: 'edge-{{item}}' }\n      loop: [2, 20]\n`;
    const values = await facts('{ kind: cloud, name: edge-2, fields: [name] }', tasks);
    expect(values).to.deep.include({
      objects: [{ name: 'edge-2' }],
      count: 1,
      by_name: { 'edge-2': { name: 'edge-2' } },
    });
    fleet.controller('lb1').behaviour = { filter: 'substring' };
    const found = await facts('{ kind: cloud, name: edge-2, fields: [name] }');
    expect(found).to.deep.include({ objects: [{ name: 'edge-2' }], count: 1 });
    fleet.controller('lb1').behaviour = {};
    expect(await facts('{ kind: cloud, name: nowhere }')).to.deep.include({ objects: [], count: 0, by_name: {} });
  });

  it('reads a single object', async () => {
    const values = await facts('{ path: /api/systemconfiguration, fields: [uuid, dns_configuration] }');
    expect(values['count']).to.equal(1);
  });

  it('refuses a path with a kind, neither of them, and a misspelled kind', async () => {
    expect(await mistakes(playOf('- resource_facts: { path: /api/cloud/, kind: cloud }'))).to.deep.equal([
      'site.yml:3:50 resource_facts takes either "path" or "kind", not both',
    ]);
    expect(await mistakes(playOf('- resource_facts: { name: x }'))).to.deep.equal([
      'site.yml:3:7 resource_facts needs "path" or "kind"',
    ]);
    expect(await mistakes(playOf('- resource_facts: { kind: pooll }'))).to.deep.equal([
      'site.yml:3:31 "kind" must be a known kind, not "pooll" — did you mean "pool"?',
    ]);
  });

  it('fails for a path that the controller does not have', async () => {
    fleet.controller('lb1').behaviour = { faults: [{ type: 'answer', status: 404, body: { error: 'not found' } }] };
    const ran = await runText('- hosts: all\n  tasks: [{ resource_facts: { path: /api/nothing/x } }]\n', {
      inventory: fleet.inventory,
    });
    expect(ran.tasks[0]?.status).to.equal('failed');
    expect(ran.tasks[0]?.message).to.include('GET /api/nothing/x').and.to.include('404');
  });
});

describe('resource_facts with pages and names of references', () => {
  let avi: AviController;
  before(async () => {
    avi = await startAviController();
    for (let index = 0; index < 230; index++)
      await avi.client.send('POST', '/api/pool', {
        name: `web-${index}`,
        health_monitor_refs: ['/api/healthmonitor?name=System-HTTP'],
      });
  });
  after(() => avi.close());

  it('omits names from by_name that several objects share, and lists them', async () => {
    for (const name of ['edge', 'core']) await avi.client.object('POST', '/api/cloud', { name, vtype: 'CLOUD_NONE' });
    const { inventory, files } = avi.textInventory();
    const read = async (args: Mapping): Promise<ReturnType<typeof valuesOf>> => {
      const tasks = [{ resource_facts: { kind: 'vrfcontext', name: 'global', fields: ['name'], ...args } }];
      return valuesOf(await runText(JSON.stringify([{ hosts: 'all', tasks }]), { inventory, files, verbosity: 1 }));
    };
    expect(await read({})).to.deep.include({ count: 3, by_name: {}, ambiguous: ['global'] });
    const narrowed = await read({ query: { 'cloud_ref.name': 'edge' } });
    expect(narrowed).to.deep.include({ count: 1, by_name: { global: { name: 'global' } }, ambiguous: [] });
  });

  it('asks for large pages, and shows references with names', async () => {
    const { ca } = avi;
    const ran = await inFolder({}, async (cwd) => {
      const file = path.join(cwd, 'ca.pem');
      await writeFile(file, ca);
      const inventory = JSON.stringify({
        all: {
          hosts: { lb1: { controller_url: avi.url } },
          vars: {
            controller_username: DEFAULT_CREDENTIALS.username,
            controller_password: DEFAULT_CREDENTIALS.password,
            controller_api_version: '22.1.3',
            controller_dialect: 'avi',
            controller_auth: 'session',
            controller_ca_file: file,
          },
        },
      });
      const playbook =
        '- hosts: all\n  tasks:\n    - resource_facts: { kind: tenant, tenant: admin }\n    - resource_facts: { kind: pool }\n      register: found\n';
      const before = avi.controller.requests.length;
      const result = await runText(playbook, { inventory, verbosity: 1 });
      const lists = avi.controller.requests.slice(before).filter((one) => one.path.startsWith('/api/pool'));
      expect(lists).to.have.lengthOf(2);
      return result;
    });
    const values = valuesOf(ran);
    expect(values['count']).to.equal(230);
    expect(JSON.stringify(values['by_name'])).to.match(
      /"health_monitor_refs":\["https:[^"]*\/api\/healthmonitor\/[^"]*#System-HTTP"\]/,
    );
  });
});

function valuesOf({ tasks }: Ran): Mapping {
  const { values } = tasks.at(-1) ?? {};
  if (!isMapping(values)) throw new Error(JSON.stringify(tasks.at(-1)));
  return values;
}
