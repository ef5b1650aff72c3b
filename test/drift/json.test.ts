import { expect } from 'chai';
import { emptyProject } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { startFleet } from '../rig/simulated.js';

const PLAYBOOK = `- hosts: all
  tasks:
    - { name: The cloud, cloud_present: { name: edge, mtu: '{{ mtu | default(9000) }}' } }
    - { name: Hidden, cloud_present: { name: core }, no_log: true }
    - { name: Raw, api_request: { method: POST, path: /api/cloud/, body: { name: raw } } }
    - { name: Broken, fail: { msg: odd }, when: inventory_hostname == 'lb2' }
`;

describe('drift for programs', () => {
  it('is one document with all that was found, and what was not', async () => {
    const fleet = await startFleet({ controllers: 2 });
    const project = await emptyProject({
      'p.yml': PLAYBOOK,
      'edge.yml': '- hosts: lb1\n  tasks: [{ cloud_present: { name: edge, mtu: 1500 } }]\n',
    });
    const command = (...args: readonly string[]) =>
      evenkeel([...args, '-i', fleet.inventoryFile], { cwd: project.directory });
    try {
      expect((await command('run', 'edge.yml', '-o', 'quiet')).code).to.equal(0);
      const lb1 = fleet.controller('lb1');
      lb1.setObjects('/api/cloud/', [...lb1.objects('/api/cloud/'), { uuid: 'cloud-stray', name: 'stray' }]);
      const { code, stdout } = await command('drift', 'p.yml', '--json', '--unmanaged');
      const text = stdout.replaceAll(/\d{8}T\d{6}Z-[\da-f]{6}/g, 'RUN').replaceAll(`${project.directory}/`, '');
      const about = (task: string, line: number, module = 'cloud_present') => ({
        task,
        module,
        source: { file: 'p.yml', line, column: 7 },
      });
      expect(code).to.equal(2);
      expect(JSON.parse(text)).to.deep.equal({
        schemaVersion: 1,
        run: 'RUN',
        playbooks: ['p.yml'],
        exitCode: 2,
        complete: false,
        controllers: 2,
        drifted: ['lb1', 'lb2'],
        unread: ['lb2'],
        drift: [
          {
            ...about('The cloud', 3),
            kind: 'update',
            object: 'cloud "edge"',
            differences: [{ type: 'replaced', path: 'mtu', before: 1500, after: 9000 }],
            values: [],
            controllers: [{ name: 'lb1', object: 'cloud "edge"', origin: { type: 'declared anew', run: 'RUN' } }],
          },
          {
            ...about('The cloud', 3),
            kind: 'create',
            object: 'cloud "edge"',
            differences: [
              { type: 'added', path: 'name', after: 'edge' },
              { type: 'added', path: 'mtu', after: 9000 },
            ],
            values: [],
            controllers: [{ name: 'lb2', object: 'cloud "edge"', origin: { type: 'never applied' } }],
          },
          { ...about('Hidden', 4), kind: 'hidden', controllers: [{ name: 'lb1' }, { name: 'lb2' }] },
        ],
        notCompared: [
          {
            ...about('Raw', 5, 'api_request'),
            reason: 'check mode skips it',
            unread: false,
            controllers: ['lb1', 'lb2'],
          },
        ],
        failures: [{ status: 'failed', ...about('Broken', 6, 'fail'), message: 'odd', controllers: ['lb2'] }],
        unmanaged: [{ kind: 'cloud', name: 'stray', controllers: ['lb1'] }],
        warnings: [],
      });
    } finally {
      await fleet.dispose();
      await project.remove();
    }
  });
});
