import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

const HINT =
  'hint: correct the address of one of them; if they are names of one controller, set controller_shared: true for each';

const PLAYBOOK = `- hosts: all
  serial: 1
  tasks:
    - name: Cloud
      cloud_present: { name: '{{ inventory_hostname }}', vtype: CLOUD_NONE }
`;

describe('two controllers with one address', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject({ 'p.yml': PLAYBOOK });
  });
  afterEach(() => project.remove());

  describe("that comes from Ansible's names", () => {
    const at = 'ansible_host: 10.0.0.1';
    // No credentials: they come from the command line.
    const bare = (...hosts: readonly string[]): string =>
      `all:\n  hosts:\n${hosts.map((host) => `    ${host}\n`).join('')}`;
    const refused = async (hosts: readonly string[], ...args: readonly string[]): Promise<string> => {
      await project.write('inv.yml', bare(...hosts));
      const { code, stdout, stderr } = await evenkeel([...args, '-i', 'inv.yml'], { cwd: project.directory });
      expect(code, args.join(' ')).to.equal(1);
      return stdout + stderr;
    };

    for (const args of [
      ['run', 'p.yml'],
      ['run', 'p.yml', '--simulate'],
      ['plan', 'p.yml', '--out', 'a.plan'],
      ['drift', 'p.yml'],
      ['task', 'all', '-m', 'api_request', '-a', 'path=/api/cloud/'],
      ['capture', '--kind', 'cloud', '--out', 'captured'],
      ['compare', '--kind', 'cloud'],
      ['lint', 'p.yml'],
      ['routes'],
      ['routes', '--check'],
    ])
      it(`is found without credentials in the inventory by ${args.join(' ')}`, async () => {
        const said = await refused([`lb1: { ${at} }`, `lb2: { ${at} }`], ...args);
        expect(said).to.include(`lb1 (inv.yml:3:26) and lb2 (inv.yml:4:26) have the same address https://10.0.0.1`);
        expect(said).to.include(HINT);
      });

    it('is found in every spelling', async () => {
      for (const [one, other] of [
        [at, 'controller_url: "https://10.0.0.1/"'],
        [`${at}, ansible_port: 443`, at],
        [`${at}, ansible_connection: httpapi`, at],
        [`${at}, ansible_connection: ansible.netcommon.httpapi, ansible_httpapi_port: 443`, at],
        ['ansible_host: lb2', 'ansible_connection: httpapi'],
        [at, "controller_url: \"https://{{ lookup('file', 'address') }}\""],
        ["ansible_host: \"{{ lookup('file', 'address') }}\"", "ansible_host: \"{{ lookup('file', 'address') }}\""],
      ]) {
        await project.write('address', '10.0.0.1\n');
        const said = await refused([`lb1: { ${one} }`, `lb2: { ${other} }`], 'run', 'p.yml');
        expect(said, `${one} and ${other}`).to.match(/lb1 \(inv\.yml:3:\d+\) and lb2.* have the same address https:/);
      }
      const different = await refused([`lb1: { ${at} }`, `lb2: { ${at}, ansible_port: 8443 }`], 'run', 'p.yml');
      expect(different).not.to.include('same address');
    });

    it('is found for hosts that Ansible reaches otherwise, if a task contacts them', async () => {
      const local = [`lb1: { ${at}, ansible_connection: local }`, `lb2: { ${at}, ansible_connection: local }`];
      expect(await refused(local, 'run', 'p.yml')).to.include(
        'lb1 (inv.yml:3:26) and lb2 (inv.yml:4:26) have the same',
      );
      const credentials = '{ controller: "{{ ansible_host }}", username: a, password: b }';
      await project.write(
        'p.yml',
        `- hosts: all\n  tasks:\n    - avi_pool: { name: w, avi_credentials: ${credentials} }\n`,
      );
      expect(await refused(local, 'run', 'p.yml')).to.include(
        'lb1 (inv.yml:3:26) and lb2 (inv.yml:4:26) have the same',
      );
    });
  });
});
