import { expect } from 'chai';
import { emptyProject, type Ended } from '../../rig/command.js';
import { cutOff } from '../../rig/cut_off.js';
import { finishedOf } from '../../rig/events_of.js';
import { evenkeel } from '../../rig/in_process.js';
import { CLOUDS, Scene } from './rig.js';

const SITE = `- hosts: all
  serial: 1
  gate:
    checks:
      - assert: { that: 'inventory_hostname == "lb1"', quiet: true }
    failures: 1
    on_fail: rollback
  tasks:
    - cloud_present: { name: edge, mtu: 9000 }
    - cloud_present: { name: edge, description: new }
    - cloud_present: { name: made }
`;

describe('a batch that its gate rolls back', () => {
  it('is restored, except for what cannot be undone, and the whole run can still be rolled back', async () => {
    const scene = await Scene.open({ 'site.yml': SITE }, { controllers: 3 });
    try {
      const { code, stdout, stderr: warned } = await scene.evenkeel('run', 'site.yml');
      expect(code, stdout).to.equal(6);
      expect(warned).to.include('cloud "made" was created: a rollback deletes nothing');
      expect(scene.fleet.names.map((name) => scene.edge(name))).to.deep.equal([
        '{"mtu":9000,"description":"new"}',
        '{"mtu":1500}',
        '{"mtu":1500}',
      ]);
      expect(scene.fleet.names.map((name) => scene.fleet.controller(name).objects(CLOUDS).length)).to.deep.equal([
        2, 2, 1,
      ]);
      const { code: back, stderr } = await scene.evenkeel('rollback', 'last', '--yes');
      expect(back, stderr).to.equal(0);
      expect(stderr).to.match(
        /\nTo restore:\n {2}cloud "edge" \(lb1\)\n {4}- mtu: 9000\n {4}\+ mtu: 1500\n {4}- description: new\n$/,
      );
      expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
    } finally {
      await scene.close();
    }
  });

  it('is restored without other controllers that were in a batch with it before', async () => {
    const site = (serial: number): string => `- hosts: all
  serial: ${serial}
  gate: { failures: 1, on_fail: rollback, checks: [{ assert: { that: false, quiet: true } }] }
  tasks:
    - cloud_present: { name: edge, mtu: 9000 }
    - cloud_present: { name: edge, description: "{{ inventory_hostname }}" }
      delegate_to: lb3
`;
    const scene = await Scene.open({ 'site.yml': site(2) }, { controllers: 3 });
    const left = (): readonly string[] => scene.fleet.names.map((name) => scene.edge(name));
    const before = left();
    try {
      const { stdout } = await scene.evenkeel('run', 'site.yml', '-l', 'lb1,lb2', '--output', 'json');
      expect(finishedOf(stdout).reason).to.include('the gate of the play failed');
      expect(left()).to.deep.equal(before);
      await scene.project.write('site.yml', site(1));
      scene.forgetRequests();
      const resumed = await scene.evenkeel('resume', 'last', '--force');
      expect(resumed.code, resumed.stdout).to.equal(6);
      expect(resumed.stdout).to.include('on lb1; the batch was rolled back\n');
      expect(left()).to.deep.equal(before);
      expect(scene.writes().filter((write) => write.startsWith('lb2'))).to.deep.equal([]);
    } finally {
      await scene.close();
    }
  });
});

describe('a batch that a controller has left since', () => {
  it('is rolled back, and the output names what stays there', async () => {
    const site = `- hosts: all
  serial: 2
  forks: 1
  gate: { failures: 1, on_fail: rollback, checks: [{ assert: { that: false, quiet: true } }] }
  tasks: [cloud_present: { name: edge, mtu: 9000 }]
`;
    const scene = await Scene.open({ 'site.yml': site }, { controllers: 3 });
    try {
      const { fleet, project } = scene;
      const cut = { cwd: project.directory, fleet, controller: 'lb2', nth: 1, signal: 'SIGINT' } as const;
      expect((await cutOff(['run', 'site.yml'], cut)).code).to.equal(130);
      await project.write('inventory.yml', fleet.inventory.replace(/^ *lb2: .*\n/m, ''));
      const { code, stdout, stderr } = await scene.evenkeel('resume', 'last', '--force');
      expect(code, stdout).to.equal(6);
      expect(stderr).to.include('lb2: cloud "edge" was left as it is: the play no longer has this controller');
      expect(stdout).to.include('on lb1; the batch was rolled back, but 1 change cannot be undone\n');
      const [kept, restored] = ['{"mtu":9000}', '{"mtu":1500}'];
      expect(fleet.names.map((name) => scene.edge(name))).to.deep.equal([restored, kept, restored]);
    } finally {
      await scene.close();
    }
  });
});

describe('a batch whose gate fails because controllers refuse the credentials', () => {
  it('is restored where they are still accepted', async () => {
    const site = `- hosts: all
  gate: { failures: 1, on_fail: rollback, checks: [{ name: Answers, api_request: { path: /api/rotated } }] }
  tasks: [cloud_present: { name: edge, mtu: 9000 }]
`;
    const scene = await Scene.open({ 'site.yml': site }, { controllers: 5 });
    try {
      for (const name of scene.fleet.names) {
        const status = name < 'lb4' ? 401 : 200;
        const rotated = { type: 'answer', when: { path: '/api/rotated' }, status, body: {} } as const;
        scene.fleet.controller(name).behaviour = { faults: [rotated] };
      }
      const { code, stdout, stderr } = await scene.evenkeel('run', 'site.yml', '-o', 'lines');
      expect(code, stdout).to.equal(6);
      expect(stderr).to.include('3 controllers in a row refused the credentials of user "admin" (lb1, lb2, lb3)');
      expect(stdout).to.match(/failed: "Answers" on lb1, lb2, lb3; rollback incomplete on (lb[123](, )?){3}\n/);
      const [kept, restored] = ['{"mtu":9000}', '{"mtu":1500}'];
      expect(scene.fleet.names.map((name) => scene.edge(name))).to.deep.equal([kept, kept, kept, restored, restored]);
      const asked = scene.fleet.controller('lb1').requests.filter(({ path }) => path === '/api/rotated');
      expect(asked, 'no account is locked').to.have.length(1);
      expect(scene.fleet.controller('lb1').requests.at(-1)?.path).to.equal('/api/rotated');
    } finally {
      await scene.close();
    }
  });
});

describe('a batch that wrote to a controller that arguments name', () => {
  it('is rolled back there, whichever of its hosts wrote', async () => {
    const project = await emptyProject({
      'inventory.yml': `all:
  hosts: { app1: { ansible_host: 10.1.0.1 }, app2: { ansible_host: 10.1.0.2 }, app3: { ansible_host: 10.1.0.3 } }
  vars: { controller_dialect: avi, controller_api_version: 22.1.3 }
`,
      'site.yml': `- hosts: all
  forks: 1
  gate: { failures: 1, on_fail: rollback, checks: [{ assert: { that: "port | default(80) == 80", quiet: true } }] }
  tasks:
    - avi_pool:
        name: "{{ inventory_hostname }}"
        default_server_port: "{{ port | default(80) }}"
        avi_credentials: { controller: lb.example.com, username: admin, password: of-the-admin, api_version: 22.1.3 }
`,
    });
    const run = (...args: readonly string[]): Promise<Ended> =>
      evenkeel(['run', 'site.yml', '-i', 'inventory.yml', '--simulate', ...args], { cwd: project.directory });
    try {
      expect((await run()).code).to.equal(0);
      const { code, stdout } = await run('-e', 'port=8080', '-o', 'lines');
      expect(code, stdout).to.equal(6);
      expect(stdout).to.include('the batch was rolled back\n');
      expect((await run('-e', 'port=80', '-o', 'lines')).stdout)
        .to.include('changed=0')
        .and.not.include('changed=1');
    } finally {
      await project.remove();
    }
  });
});
