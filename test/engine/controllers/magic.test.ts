import { expect } from 'chai';
import { runText, type TextOptions } from '../../rig/run_text.js';

const INVENTORY =
  'all: { hosts: { lb1.example.com: { site: fra }, lb2.example.com: }, children: { eu: { hosts: { lb1.example.com: } } } }';

/** What `debug` shows of a text on lb1. */
async function shown(text: string, options: TextOptions = {}): Promise<string | undefined> {
  const playbook = `- hosts: all\n  name: p\n  tasks:\n    - debug: { msg: '${text.replaceAll("'", "''")}' }\n`;
  return (await runText(playbook, { inventory: INVENTORY, ...options })).said[0];
}

describe('magic variables', () => {
  it('provide every variable by name in vars', async () => {
    expect(
      await shown(`{{vars['site']}} {{vars.inventory_hostname_short}} {{vars[name] | default('none')}}`, {
        extraVars: { name: 'nobody' },
      }),
    ).to.equal('fra lb1 none');
    expect(await shown('{{vars}}', { extraVars: { vars: 'mine' } })).to.equal('mine');
  });

  it('show the options of the command line', async () => {
    const options = { limitPattern: 'lb1*', inventorySources: ['/x/inventory.yml', 'a,b'] };
    expect(await shown('{{ansible_limit}} {{ansible_inventory_sources | join(" ")}}', options)).to.equal(
      'lb1* /x/inventory.yml a,b',
    );
    expect(await shown('{{ansible_limit is defined}}')).to.equal('false');
  });

  it('have the members of each group, and new ones as soon as they are added', async () => {
    const both = '{{groups.eu | join(",")}} {{groups.all | join(",")}} {{groups.eu | join(",")}}';
    const [eu, all] = ['lb1.example.com', 'lb1.example.com,lb2.example.com'];
    expect(await shown(both)).to.equal(`${eu} ${all} ${eu}`);
    const tasks = [{ debug: { msg: both } }, { add_host: { name: 'lb3', groups: 'eu' } }, { debug: { msg: both } }];
    const { said } = await runText(JSON.stringify([{ hosts: 'lb1*', tasks }]), { inventory: INVENTORY });
    expect(said.at(-1)).to.equal(`${eu},lb3 ${all},lb3 ${eu},lb3`);
  });

  it('include play_hosts for older playbooks', async () => {
    expect(await shown('{{play_hosts | join(",")}}')).to.equal('lb1.example.com,lb2.example.com');
  });
});
