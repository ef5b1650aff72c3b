import { expect } from 'chai';
import { mistakes, playOf } from '../rig/loaded.js';
import { runText } from '../rig/run_text.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

describe('resource_present and resource_absent with a kind', () => {
  let fleet: Fleet;
  beforeEach(async () => {
    fleet = await startFleet();
  });
  afterEach(() => fleet.dispose());

  it('use the path of the kind', async () => {
    const playbook = `- hosts: all
  tasks:
    - resource_present: { kind: cloud, name: edge, properties: { mtu: 1500 } }
    - resource_present: { kind: systemconfiguration, properties: { dns_configuration: { search_domain: x.example.com } } }
    - resource_absent: { kind: cloud, name: edge }
`;
    const ran = await runText(playbook, { inventory: fleet.inventory });
    expect(ran.tasks.map(({ status }) => status)).to.deep.equal(['changed', 'changed', 'changed']);
    const writes = fleet.controller('lb1').requests.filter(({ method }) => method !== 'GET');
    expect(writes.map(({ method, path }) => `${method} ${path.replace(/cloud-.*/, 'UUID')}`)).to.deep.equal([
      'POST /api/cloud/',
      'PUT /api/systemconfiguration',
      'DELETE /api/cloud/UUID',
    ]);
  });

  it('refuse a misspelled kind, before the run if it is known then', async () => {
    const before = fleet.controller('lb1').requests.length;
    for (const module of ['resource_present', 'resource_absent', 'resource_facts', 'wait_until']) {
      const [written] = await mistakes(playOf(`- ${module}: { kind: pooll, name: a }`));
      expect(written).to.match(/^site\.yml:3:\d+ "kind" must be a known kind, not "pooll" — did you mean "pool"\?/);
      const task = `{ ${module}: { kind: '{{ said.msg }}', name: a } }`;
      const ran = await runText(`- hosts: all\n  tasks: [{ debug: { msg: pooll }, register: said }, ${task}]\n`, {
        inventory: fleet.inventory,
      });
      expect(ran.tasks[1]?.status).to.equal('failed');
      expect(ran.tasks[1]?.message).to.equal('"kind" must be a known kind, not "pooll"');
    }
    expect(fleet.controller('lb1').requests).to.have.lengthOf(before);
  });

  it('check the fields of the kind before the run', async () => {
    const task = '- resource_present: { kind: pool, name: a, properties: { default_server_prot: 80 } }';
    const [problem = ''] = await mistakes(playOf(task));
    expect(problem).to.include('default_server_prot').and.to.include('site.yml:3:');
    const [taken] = await mistakes(
      playOf('- resource_present: { kind: pool, name: a, without: { servers: [{ ip: { adr: 10.0.0.1 } }] } }'),
    );
    expect(taken).to.include('"without.servers[0].ip.adr" is not a field of IpAddr');
  });

  it('check the fields of the kind at a path, and mask its secrets in all output', async () => {
    const at = (path: string, properties: string): Promise<readonly string[]> =>
      mistakes(playOf(`- resource_present: { path: ${path}, name: a, properties: ${properties} }`));
    for (const path of ['/api/pool', '/api/pool/', '/api/pool/pool-1']) {
      const [slip = ''] = await at(path, '{ default_server_prot: 80 }');
      expect(slip, path).to.match(
        /^warning: .*unknown field "properties.default_server_prot".*"default_server_port"\?$/,
      );
      const [type = ''] = await at(path, '{ default_server_port: many }');
      expect(type, path).to.include('"properties.default_server_port" must be an integer');
    }
    expect(await at('/api/pool/pool-1/runtime', '{ default_server_port: many }')).to.deep.equal([]);
    expect(await at('/api/pools', '{ default_server_port: many }')).to.deep.equal([]);
    const [type = ''] = await at('/api/cloud/', '{ mtu: 1500, vtype: [] }');
    expect(type).to.include('vtype');
    const secret = 'correct horse battery';
    const path = '/api/backupconfiguration';
    const task = { resource_present: { path, name: 'a', properties: { aws_secret_access: secret } } };
    const ran = await runText(JSON.stringify([{ hosts: 'all', tasks: [task] }]), {
      inventory: fleet.inventory,
      verbosity: 4,
    });
    expect(ran.events.length).to.be.greaterThan(2);
    expect(ran.secrets.mask(JSON.stringify(ran.events))).not.to.include(secret);
  });

  it('need a path or a kind', async () => {
    expect(await mistakes(playOf('- resource_present: { name: a }'))).to.deep.equal([
      'site.yml:3:7 resource_present needs "path" or "kind"',
    ]);
  });
});
