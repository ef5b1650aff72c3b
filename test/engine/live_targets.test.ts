import { expect } from 'chai';
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
});
