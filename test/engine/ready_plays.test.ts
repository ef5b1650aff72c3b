import { expect } from 'chai';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { selectReadyPlays, selectAgain } from '../../src/engine/play/ready_plays.js';
import { readInventory } from '../rig/inventory.js';
import { madePlaybook } from '../rig/loaded.js';
import { runText } from '../rig/run_text.js';

describe('controllers and groups that a run adds', () => {
  it('can be used by later plays, and by group_names at once', async () => {
    const ran = await runText(
      `
- hosts: web
  strategy: linear
  tasks:
    - { group_by: { key: "named_{{ inventory_hostname }}" } }
    - { add_host: { name: lb9, groups: fresh } }
    - { debug: { msg: "{{ group_names | join(' ') }}" } }
- hosts: fresh:named_lb2
  tasks:
    - { debug: { msg: "{{ inventory_hostname }}" } }
`,
      { inventory: 'all: { children: { web: { hosts: { lb1: , lb2: } } } }' },
    );
    expect(ran.said.slice(0, 2)).to.deep.equal(['named_lb1 web', 'named_lb2 web']);
    expect(ran.said.slice(2)).to.have.members(['lb9', 'lb2']);
  });

  it('stay outside of the limit', async () => {
    const ran = await runText(
      `
- hosts: web
  tasks: [{ add_host: { name: lb9 } }]
- hosts: all
  tasks: [{ debug: { msg: "{{ inventory_hostname }}" } }]
`,
      { inventory: 'all: { children: { web: { hosts: { lb1: , lb2: } } } }', limit: new Set(['lb1']) },
    );
    expect(ran.said).to.deep.equal(['lb1']);
  });

  it('are named one by one for a rollback, whatever the names mean as patterns, and may be none', async () => {
    const { inventory } = await readInventory({ 'inventory.yml': 'all: { hosts: { lb1: , lb2: , "lb*": } }\n' });
    const playbook = await madePlaybook('- { hosts: all, tasks: [] }\n');
    const [play] = playbook.plays;
    if (play === undefined) throw new Error('no play');
    const controllers = (names: readonly string[] | undefined, limit?: ReadonlySet<string>) => {
      const hosts = { ...play.hosts, value: names === undefined ? 'no' : 'all', ...(names && { names }) };
      const plays = [{ ...play, hosts }];
      const diagnostics = new Diagnostics();
      const sources = { playbooks: [{ ...playbook, plays }], inventory, extraVars: [] };
      const [ready] = selectReadyPlays({ ...sources, limit }, diagnostics);
      if (ready === undefined) throw new Error('no play');
      const { ready: starting, unmatched } = selectAgain(ready, sources, { inventory, limit });
      return [ready.controllers, starting.controllers, unmatched];
    };
    expect(controllers(['lb*', 'lb2'])).to.deep.equal([['lb*', 'lb2'], ['lb*', 'lb2'], []]);
    expect(controllers(['lb*', 'lb2'], new Set(['lb2']))).to.deep.equal([['lb2'], ['lb2'], []]);
    expect(controllers([])).to.deep.equal([[], [], []]);
    expect(controllers(undefined)).to.deep.equal([[], [], []]);
  });
});
