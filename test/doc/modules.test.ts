import { expect } from 'chai';
import { builtInKinds } from '../../src/kinds/kind_table.js';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

const TABLE = {
  format: 'evenkeel-kinds-1',
  kinds: { gadget: 'Gadget', motd: { structure: 'Gadget', single: true, about: 'message of the day' } },
  structures: { Gadget: { fields: { name: 'string' } } },
};
const GREET = `
import { defineAction, Type } from 'evenkeel';
export default defineAction({
  name: 'greet', summary: 'greets somebody', args: Type.Object({}), examples: [], check: true, run: async () => ({ status: 'ok' }),
});
`;

describe('evenkeel modules', () => {
  let project: Project;
  before(async () => {
    const own = { 'modules/own.kinds.json': JSON.stringify(TABLE), 'modules/greet.ts': GREET };
    project = await emptyProject({ 'evenkeel.yml': '', ...own });
  });
  after(() => project.remove());

  const run = (...args: string[]) => evenkeel(args, { cwd: project.directory });

  it('lists the kinds and the other modules, those of the project with their files', async () => {
    const { code, stdout, stderr } = await run('modules');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const groups = stdout.split('\n\n').map((group) => group.split('\n'));
    expect(groups.map(([title]) => title)).to.deep.equal([
      'Kinds of objects: KIND_present declares an object, KIND_absent deletes it',
      'Other objects',
      'Actions',
      'Playbooks of the collection vmware.alb',
      '"evenkeel doc NAME" explains a module, or the modules of a kind.',
    ]);
    expect(groups[3]?.[1]).to.match(/avi_KIND for the kinds above, (?!.*avi_pool).*avi_api_session.*\.$/);
    const rows = stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(rows).to.deep.include.members([
      ['pool', 'present, absent', 'servers that share the load'],
      ['systemconfiguration', 'system_config', 'DNS, NTP, portal and other settings'],
      ['gadget', 'present, absent', '(modules/own.kinds.json)'],
      ['motd', 'present', 'message of the day (modules/own.kinds.json)'],
      ['debug', 'shows a message or a variable'],
      ['greet', 'greets somebody (modules/greet.ts)'],
    ]);
  });

  it('prints JSON for programs, with the modules for playbooks of the vendor', async () => {
    const { stdout } = await run('modules', '--json');
    const listed = JSON.parse(stdout) as readonly { name: string; group: string }[];
    expect(
      listed.filter(({ name }) => ['pool_absent', 'greet', 'avi_gadget', 'system_config'].includes(name)),
    ).to.deep.equal([
      { name: 'greet', group: 'action', summary: 'greets somebody', file: 'modules/greet.ts' },
      { name: 'pool_absent', group: 'kind', summary: 'makes sure that a pool does not exist', kind: 'pool' },
      {
        name: 'system_config',
        group: 'kind',
        summary: 'sets the system configuration of a controller: DNS, NTP, portal and all other declared fields',
        kind: 'systemconfiguration',
      },
      {
        name: 'avi_gadget',
        group: 'vendor',
        summary: "declares or deletes a gadget, as the vendor's collection does",
        file: 'modules/own.kinds.json',
      },
    ]);
  });

  it('describe every built-in kind', () => {
    const unexplained = builtInKinds().names.filter((name) => builtInKinds().kind(name)?.about === undefined);
    expect(unexplained).to.deep.equal([]);
  });

  it('are explained by name, also those of a kind and of the vendor', async () => {
    const titles = async (name: string) => (await run('doc', name)).stdout.match(/^\w+ \((?:resource|action)\)/gm);
    expect(await titles('pool')).to.deep.equal(['pool_present (resource)', 'pool_absent (resource)']);
    expect(await titles('systemconfiguration')).to.deep.equal(['system_config (resource)']);
    expect(await titles('motd')).to.deep.equal(['motd_present (resource)']);
    expect(await titles('vmware.alb.avi_pool')).to.deep.equal(['avi_pool (resource)']);
  });

  for (const [name, meant] of [
    ['virtualservise', 'virtualservice'],
    ['gadgett', 'gadget'],
    ['pool_presnt', 'pool_present'],
    ['vmware.alb.avi_pol', 'avi_pool'],
  ] as const)
    it(`suggest ${meant} for ${name}`, async () => {
      const { code, stderr } = await run('doc', name);
      expect(code).to.equal(1);
      expect(stderr).to.include(`role "${name}"`).and.to.include(`did you mean "${meant}"?`);
    });
});
