import { expect } from 'chai';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { answersTo } from '../../src/launch/load/answers.js';
import { loadRun } from '../../src/launch/load/load_run.js';
import { selectPlays } from '../../src/launch/load/selection.js';
import { findLockPlaces } from '../../src/launch/lock/lock_places.js';
import { placeKey } from '../../src/record/locks/lock.js';
import { inFolder } from '../rig/folder.js';
import { worded } from '../rig/loaded.js';

const INVENTORY = `all:
  vars: { controller_url: 'https://{{ inventory_hostname }}.example.com' }
  hosts: { lb1: , lb2: , twin: { controller_url: https://lb1.example.com }, later: { controller_url: '{{ found }}' } }
`;

const URLS = ['https://lb1.example.com', 'https://lb2.example.com', 'https://other-lb1', 'https://other-lb2'];

/** The names of the controllers by the addresses that a run locks. */
function places(playbook: string, inventory = INVENTORY): Promise<Readonly<Record<string, readonly string[]>>> {
  return inFolder({ 'p.yml': playbook, 'inv.yml': inventory }, async (cwd) => {
    const diagnostics = new Diagnostics();
    const settings = { inventory: ['inv.yml'], verbosity: 0 };
    const loaded = await loadRun({ type: 'files', files: ['p.yml'] }, settings, { cwd, env: {} }, diagnostics);
    if (loaded === undefined) throw new Error(diagnostics.list.map(worded).join('\n'));
    const answers = await answersTo(loaded, () => Promise.resolve({ type: 'unanswered' }), diagnostics);
    const selected = selectPlays(loaded, { answers }, diagnostics);
    expect(diagnostics.list.map(worded)).to.deep.equal([]);
    const found = await findLockPlaces(loaded, selected, answers);
    const url = (key: string): string => URLS.find((one) => placeKey(one) === key) ?? key;
    return Object.fromEntries([...found].map(([key, names]) => [url(key), names]));
  });
}

const WRITE = 'tasks: [{ cloud_present: { name: a } }]';

describe('the addresses that a run locks', () => {
  it('are those of controllers to which a task may write, once each', async () => {
    expect(await places(`- { hosts: all, ${WRITE} }\n- { hosts: lb2, ${WRITE} }\n`)).to.deep.equal({
      'https://lb1.example.com': ['lb1', 'twin'],
      'https://lb2.example.com': ['lb2'],
    });
    expect(await places('- { hosts: all, tasks: [{ debug: { msg: a } }] }\n')).to.deep.equal({});
    expect(
      await places(`- { hosts: lb1, tasks: [{ debug: { msg: a } }] }\n- { hosts: lb2, ${WRITE} }\n`),
    ).to.deep.equal({
      'https://lb2.example.com': ['lb2'],
    });
    expect(await places('- { hosts: lb1, tasks: [{ include_tasks: "{{ file }}" }] }\n')).to.deep.equal({
      'https://lb1.example.com': ['lb1'],
    });
    expect(
      await places(`- { hosts: lb1, tasks: [], handlers: [{ name: h, cloud_present: { name: a } }] }\n`),
    ).to.deep.equal({ 'https://lb1.example.com': ['lb1'] });
  });

  it('are those that the variables of each play say', async () => {
    const other = `- { hosts: 'lb1,lb2', vars: { controller_url: 'https://other-{{ inventory_hostname }}' }, ${WRITE} }\n`;
    expect(await places(`- { hosts: lb1, ${WRITE} }\n${other}`)).to.deep.equal({
      'https://lb1.example.com': ['lb1'],
      'https://other-lb1': ['lb1'],
      'https://other-lb2': ['lb2'],
    });
    expect(await places(other + other)).to.deep.equal({ 'https://other-lb1': ['lb1'], 'https://other-lb2': ['lb2'] });
  });
});
