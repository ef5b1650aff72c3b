import { startFleet } from '../fleet.js';
import { measureWall } from '../measure.js';
import { AT_ONCE, runEvenkeel } from '../programs.js';
import { milliseconds, type Row } from '../row.js';

const SIZE = 200;

/** What someone who comes from Ansible gains: the same requests by its `uri` module. Takes minutes. */
export async function ansibleRows(): Promise<readonly Row[]> {
  const fleet = await startFleet(SIZE);
  try {
    const { wallMs: measured } = await runEvenkeel(fleet);
    await fleet.reset();
    const against = await measureWall({
      program: 'ansible-playbook',
      args: ['ansible.yml', '--inventory', 'inventory.yml', '--forks', AT_ONCE],
      cwd: fleet.directory,
      env: { ANSIBLE_HOST_KEY_CHECKING: 'false', ANSIBLE_NOCOWS: '1' },
    });
    return [
      {
        what: `first run, ${SIZE} controllers: wall`,
        measured: milliseconds(measured),
        against: `ansible-playbook with \`uri\`: ${milliseconds(against)}`,
        ratio: measured / against,
        budget: 1 / 100,
      },
    ];
  } finally {
    await fleet.stop();
  }
}
