import { expect } from 'chai';
import { runText } from '../rig/run_text.js';

/** Nothing listens there. */
const GONE = `
all:
  hosts:
    lb1:
      controller_url: https://127.0.0.1:1
      controller_username: admin
      controller_password: secret
      controller_api_version: 22.1.3
`;

describe('ignore_unreachable', () => {
  it('lets the controller continue; the recap counts it as ok and ignored', async () => {
    const { lines, said, finished } = await runText(
      `
- hosts: all
  tasks:
    - { name: one, cloud_present: { name: a }, ignore_unreachable: true, register: r }
    - { name: two, debug: { msg: '{{r is unreachable}} {{r.unreachable}}' } }
    - { name: three, cloud_present: { name: '{{item}}' }, loop: [a, b], ignore_unreachable: '{{item == "a"}}' }
    - { name: four, debug: { msg: never } }
`,
      { inventory: GONE },
    );
    expect(lines).to.deep.equal([
      'lb1 one: unreachable ignored',
      'lb1 two: ok',
      'lb1 three [a]: unreachable ignored',
      'lb1 three [b]: unreachable',
      'lb1 three: unreachable',
    ]);
    expect(said).to.deep.equal(['True True']);
    expect(finished.stats['lb1']).to.deep.include({ ok: 2, ignored: 1, unreachable: 1 });
    expect(finished.exitCode).to.equal(4);
  });

  it('makes the run succeed if all unreachable results are ignored', async () => {
    const { finished } = await runText(
      `
- hosts: all
  ignore_unreachable: true
  tasks:
    - cloud_present: { name: '{{item}}' }
      loop: [a, b]
`,
      { inventory: GONE },
    );
    expect(finished).to.deep.include({ status: 'ok', exitCode: 0 });
    expect(finished.stats['lb1']).to.deep.include({ ok: 1, ignored: 1, unreachable: 0 });
  });
});

describe('a controller that cannot be reached', () => {
  it('is named as the reason if that is fatal for all, and in the result of its loop', async () => {
    const { finished, said, tasks } = await runText(
      `
- hosts: all
  tasks:
    - { name: one, cloud_present: { name: '{{item}}' }, loop: [a, b, c], ignore_unreachable: true, register: r }
    - { debug: { msg: '{{r.msg}}' } }
    - { name: two, cloud_present: { name: a }, any_errors_fatal: true }
`,
      { inventory: GONE },
    );
    expect(said).to.deep.equal(['One or more items were unreachable']);
    expect(tasks[3]?.message).to.match(/^3 of 3 items unreachable; item a: /);
    expect(finished.reason).to.equal('"two" could not reach lb1, which any_errors_fatal makes fatal for all');
  });
});

describe('a fleet that does not answer', () => {
  const fleet = (names: readonly string[]) =>
    `all:\n  hosts:\n${names.map((name) => `    ${name}: { controller_url: "https://127.0.0.1:1" }\n`).join('')}`;
  const names = Array.from({ length: 12 }, (_, index) => `lb${index + 1}`);
  const credentials = { controller_username: 'admin', controller_password: 'secret', controller_api_version: '22.1.3' };
  const warnings = async (inventory: string, tasks: string): Promise<readonly string[]> => {
    const playbook = `- hosts: all\n  vars: ${JSON.stringify(credentials)}\n  tasks: [${tasks}]\n`;
    const { events } = await runText(playbook, { inventory, forks: 1 });
    return events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
  };
  const WRITE = '{ cloud_present: { name: a } }';

  it('causes one warning when the first ten controllers are unreachable', async () => {
    expect(await warnings(fleet(names), WRITE)).to.deep.equal([
      'none of the first 10 controllers could be reached, 2 still to try: is the network, VPN or proxy up? Ctrl-C stops the run; a shorter controller_timeout or controller_patience makes it give up sooner',
    ]);
  });

  it('causes no warning if one of them answers, or if the fleet has no more', async () => {
    const some = '{ cloud_present: { name: a }, when: inventory_hostname != "lb9" }';
    expect(await warnings(fleet(names), some)).to.deep.equal([]);
    expect(await warnings(fleet(names.slice(0, 10)), WRITE)).to.deep.equal([]);
  });
});
