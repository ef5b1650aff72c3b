import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { CONFIGURATION, Scene } from './rig.js';

/** Found by name, by its value from -e, and because its task has `no_log`. */
const SITE = `- hosts: all
  tasks:
    - name: by name
      cloud_present: { name: edge, vcenter_configuration: { password: plant-new-1 } }
    - name: by value
      cloud_present: { name: edge, comment: 'x{{ api_token }}' }
    - name: silent
      system_config: { dns_configuration: { search_domain: plant-new-3 } }
      no_log: true
`;
const PLANTED = ['plant-old-1', 'plant-new-1', 'plant-new-2', 'plant-old-3', 'plant-new-3'];

describe('secrets in a rollback', () => {
  it('are rolled back, and appear in no output', async () => {
    const scene = await Scene.open({ 'site.yml': SITE }, { controllers: 1 });
    try {
      const controller = scene.fleet.controller('lb1');
      const edge = { uuid: 'cloud-1', name: 'edge' };
      controller.setObject(CONFIGURATION, { dns_configuration: { search_domain: 'plant-old-3' } });
      controller.setObjects('/api/cloud/', [{ ...edge, vcenter_configuration: { password: 'plant-old-1' } }]);
      await scene.run('site.yml', '-e', 'api_token=plant-new-2');
      const { code, stdout, stderr } = await scene.evenkeel('rollback', 'last', '--yes', '-D', '-vvvv');
      expect(code, stdout + stderr).to.equal(0);
      const [now] = controller.objects('/api/cloud/');
      expect(now).to.deep.include({ vcenter_configuration: { password: 'plant-old-1' } });
      expect(controller.object(CONFIGURATION)).to.have.nested.property(
        'dns_configuration.search_domain',
        'plant-old-3',
      );
      expect(now).not.to.have.property('comment');
      const output = stdout + stderr + (await everything(`${scene.project.directory}/.evenkeel`));
      expect(PLANTED.filter((secret) => output.includes(secret))).to.deep.equal([]);
      expect(stderr).to.include('system configuration, which was written under no_log (lb1)');
    } finally {
      await scene.close();
    }
  });
});

describe('a secret in the name of a file', () => {
  it('is neither in the journal, nor in locks, nor in lists of runs, and a rollback finds the file', async () => {
    const scene = await Scene.open(
      {
        'hunter22/hunter22.yml': "- hosts: all\n  tasks: [include_tasks: '{{ db_password }}_tasks.yml']\n",
        'hunter22/hunter22_tasks.yml': '- cloud_present: { name: edge, mtu: 9000 }\n',
        'hunter22/group_vars/all.yml': 'controller_patience: "{{ 0 if true else 1 }}"\n',
      },
      { controllers: 1 },
    );
    try {
      const controller = scene.fleet.controller('lb1');
      let locks = '';
      controller.watch = async (moment, { method }) => {
        if (moment === 'carried out' && method === 'PUT')
          locks = await everything(`${scene.project.directory}/.claims`);
      };
      const file = 'hunter22/hunter22.yml';
      await scene.run(file, '-e', 'db_password=hunter22');
      expect(locks).to.include('"command":"evenkeel run ********/********.yml"');
      const listed = await scene.evenkeel('runs', '--json');
      const shown = await scene.evenkeel('runs', 'last');
      const { stdout } = await scene.evenkeel('rollback', 'last', '--yes');
      expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
      const output = locks + listed.stdout + shown.stdout + stdout;
      expect(output + (await everything(`${scene.project.directory}/.evenkeel`))).to.not.include('hunter22');
    } finally {
      await scene.close();
    }
  });
});

async function everything(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('cat', (await files(folder)).split('\n').filter(Boolean), {
    maxBuffer: 1 << 26,
  });
  return stdout;
}

async function files(folder: string): Promise<string> {
  return (await promisify(execFile)('find', [folder, '-type', 'f'])).stdout;
}
