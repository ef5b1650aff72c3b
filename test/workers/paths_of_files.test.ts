import { rename } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { Broker, NATS_SERVER, sayWithoutNats } from '../rig/nats.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { CommandProcess, SiteWorker } from './fleet_rig.js';
import { withSites } from './two_sites.js';

const FILES = {
  'data.txt': 'from the bundle',
  'site.yml': `- hosts: lb1
  tasks:
    - set_fact: { file: "{{ playbook_dir }}/data.txt", text: "in {{ playbook_dir }}/data.txt" }
    - add_host: { name: added, groups: later, file: "{{ file }}", evenkeel_site: madrid }
- hosts: lb1,later
  tasks:
    - name: Read
      debug: { msg: "{{ lookup('file', file) }}" }
    - name: Name
      debug: { msg: "it is {{ file }}" }
- hosts: lb1
  tasks:
    - name: Text
      debug: { msg: "{{ text }}" }
`,
  'news.yml': `- hosts: all
  strategy: linear
  tasks:
    - set_fact: { file: "{{ playbook_dir }}/data.txt" }
      when: inventory_hostname == 'lb1'
    - name: Read
      debug: { msg: "{{ lookup('file', hostvars.lb1.file) }}" }
`,
  'planned.yml': `- hosts: lb1
  tasks:
    - set_fact: { file: "{{ playbook_dir }}/data.txt" }
- hosts: lb1
  tasks:
    - name: Planned
      cloud_present: { name: planned, properties: { said: "{{ lookup('file', item) }}", from: "{{ item | basename }}" } }
      loop: ["{{ file }}"]
      vars: { controller_ca_file: "{{ playbook_dir }}/ca.pem" }
`,
  'written.yml': `- hosts: lb1
  vars: { controller_ca_file: "{{ playbook_dir }}/ca.pem" }
  tasks:
    - name: Write
      cloud_present:
        name: written
        properties:
          folder: "{{ playbook_dir }}"
          named: "{{ playbook_dir | basename }}"
          inventory: "{{ inventory_file }}"
          found: "{{ lookup('first_found', 'data.txt') }}"
          real: "{{ (playbook_dir ~ '/data.txt') | realpath }}"
          text: "{{ lookup('pipe', 'cat ' ~ playbook_dir ~ '/data.txt') }}"
          isThere: "{{ (playbook_dir ~ '/data.txt') is file }}"
`,
  'relative/site.yml': `- hosts: lb1
  roles: [~/roles/base]
  tasks:
    - name: Relative
      debug: { msg: "{{ 'data.txt' is file }} {{ 'data.txt' | realpath }} {{ playbook_dir | relpath }} {{ '~/roles' | expanduser }}" }
`,
  'change.yml': `- hosts: lb1
  tasks:
    - name: Change
      cloud_present: { name: edge, mtu: 2000, properties: { note: "" } }
      vars: { controller_ca_file: "{{ playbook_dir }}/ca.pem" }
`,
};

describe('paths of files of the coordinator, at a worker of another machine', () => {
  let broker: Broker;
  let fleet: Fleet;
  let project: Project;
  const machines: Project[] = [];
  const workers: SiteWorker[] = [];

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('paths of files of the coordinator');
      this.skip();
    }
    broker = await Broker.start();
    fleet = await startFleet({ controllers: 2 });
    for (const site of ['madrid', 'paris']) {
      const machine = await emptyProject();
      machines.push(machine);
      workers.push(new SiteWorker(`${site}-1`, site, broker.url, machine.directory, ['--allow-code']));
    }
    const inventory = withSites(fleet.inventory, { lb1: 'madrid', lb2: 'paris' }).replace(
      / *controller_ca_file: .*\n/,
      '',
    );
    project = await emptyProject({ ...FILES, 'inventory.yml': inventory, 'ca.pem': fleet.ca });
  });
  after(async () => {
    if (NATS_SERVER === undefined) return;
    await broker.dispose();
    await fleet.dispose();
    await project.remove();
    for (const machine of machines) await machine.remove();
  });

  /** A command whose files change on the coordinator after they were sent, and before a worker has taken anything. */
  async function run(
    args: readonly string[],
    change: () => Promise<void>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const through = ['-o', 'lines', '--nats', broker.url, '--site-timeout', '60'];
    const started = new CommandProcess([...args, ...through], project.directory, env);
    await Promise.race([started.err.first((line) => line.includes('has no workers')), started.ended]);
    await change();
    for (const worker of workers) await worker.start();
    const code = await started.ended;
    for (const worker of workers) expect(await worker.stop()).to.equal(0);
    expect(code, started.stdout + started.stderr).to.equal(0);
    return started.stdout;
  }

  it('lead to the files that were sent in later plays, and to those of the coordinator in output', async () => {
    const printed = await run(['run', 'site.yml', '-i', 'inventory.yml'], async () => {
      await project.write('data.txt', 'of the coordinator');
    });
    for (const controller of ['lb1', 'added'])
      expect(printed)
        .to.match(new RegExp(`${controller} +Read: from the bundle`))
        .and.match(new RegExp(`${controller} +Name: it is ${project.directory}/data.txt`));
    expect(printed).to.include(`in ${project.directory}/data.txt`);
  });

  it('lead to the files that were sent as soon as another site has made them', async () => {
    await project.write('data.txt', 'as it was sent');
    const printed = await run(['run', 'news.yml', '-i', 'inventory.yml'], async () => {
      await project.write('data.txt', 'of the coordinator');
    });
    for (const controller of ['lb1', 'lb2'])
      expect(printed).to.match(new RegExp(`${controller} +Read: as it was sent`));
  });

  it('start from the working directory and the home folder of the coordinator', async () => {
    const home = await emptyProject({
      'roles/base/tasks/main.yml': `- { name: Role, debug: { msg: "{{ lookup('file', 'text') }}" } }`,
      'roles/base/files/text': 'as it was sent',
    });
    machines.push(home);
    const { directory } = project;
    const printed = await run(
      ['run', 'relative/site.yml', '-i', 'inventory.yml'],
      () => home.write('roles/base/files/text', 'of the coordinator'),
      { HOME: home.directory },
    );
    expect(printed)
      .to.include('Role: as it was sent')
      .and.include(`Relative: True ${directory}/data.txt relative ${home.directory}/roles`);
  });

  it('are the same to a plan that was made on the coordinator', async () => {
    await project.write('data.txt', 'planned');
    const args = ['plan', 'planned.yml', '-i', 'inventory.yml', '--out', 'p.plan', '-o', 'lines'];
    const planned = new CommandProcess(args, project.directory);
    expect(await planned.ended, planned.stdout + planned.stderr).to.equal(0);
    await run(['apply', 'p.plan'], () => Promise.resolve());
    const [cloud] = fleet.controller('lb1').objects('/api/cloud/');
    expect(cloud?.['properties']).to.deep.equal({ said: 'planned', from: 'data.txt' });
  });

  it('are written to controllers as they are on the coordinator, and can be rolled back', async () => {
    await project.write('data.txt', 'as it was sent');
    const { directory } = project;
    const controller = fleet.controller('lb1');
    controller.setObjects('/api/cloud/', [
      { name: 'written', uuid: 'cloud-2', mtu: 1400, properties: { folder: '/' } },
    ]);
    await run(['run', 'written.yml', '-i', 'inventory.yml'], async () => {
      await project.write('data.txt', 'of the coordinator');
    });
    const propertiesNow = () => controller.objects('/api/cloud/')[0]?.['properties'];
    expect(propertiesNow()).to.deep.equal({
      folder: directory,
      named: path.basename(directory),
      inventory: path.join(directory, 'inventory.yml'),
      found: path.join(directory, 'data.txt'),
      real: path.join(directory, 'data.txt'),
      text: 'as it was sent',
      isThere: true,
    });
    await run(['rollback', 'last', '--yes'], () => Promise.resolve());
    expect(propertiesNow()).to.deep.equal({ folder: '/' });
  });

  it('lead to the certificate that a rollback needs, and what it restores is as it was', async () => {
    const note = path.join(project.directory, 'data.txt');
    const controller = fleet.controller('lb1');
    controller.setObjects('/api/cloud/', [{ name: 'edge', uuid: 'cloud-1', mtu: 1400, properties: { note } }]);
    await run(['run', 'change.yml', '-i', 'inventory.yml'], () => Promise.resolve());
    expect(controller.objects('/api/cloud/')[0]?.['mtu']).to.equal(2000);
    await run(['rollback', 'last', '--yes'], () =>
      rename(path.join(project.directory, 'ca.pem'), path.join(project.directory, 'other.pem')),
    );
    const [cloud] = controller.objects('/api/cloud/');
    expect([cloud?.['mtu'], cloud?.['properties']]).to.deep.equal([1400, { note }]);
  });
});
