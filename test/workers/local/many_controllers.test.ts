import { expect } from 'chai';
import { emptyProject, evenkeel, type Project } from '../../rig/command.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

const SITE = '- { hosts: fleet, tasks: [{ cloud_present: { name: edge, mtu: 9000 } }] }\n';

/** More than the ten listeners of a signal that Node takes for a leak. */
describe('local workers with many controllers', () => {
  let fleet: Fleet;
  let project: Project;
  before(async () => {
    fleet = await startFleet({ controllers: 30 });
    project = await emptyProject({ 'site.yml': SITE, 'inventory.yml': fleet.inventory });
  });
  after(async () => {
    await fleet.dispose();
    await project.remove();
  });

  for (const [command, expected] of [
    ['plan site.yml -i inventory.yml --out site.plan', 0],
    ['drift site.yml -i inventory.yml', 3],
    ['apply site.plan', 0],
    ['rollback last --yes', 0],
    ['run site.yml -i inventory.yml', 0],
  ] as const)
    it(`cause no warning from Node: ${command}`, async () => {
      // It rejects if there is one.
      const { code, stdout } = await evenkeel([...command.split(' '), '--workers', '2'], { cwd: project.directory });
      expect(code, stdout).to.equal(expected);
    });
});
