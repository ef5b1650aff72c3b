import { expect } from 'chai';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';
import { DEAD_CONTROLLER } from '../rig/waits.js';

const THREE = 'all: { hosts: { lb1: , lb2: , lb3: } }';

function run(playbook: string, options: TextOptions = {}): Promise<Ran> {
  return runText(playbook, { inventory: THREE, ...options });
}

const by = ({ lines }: Ran, controller: string): readonly string[] =>
  lines.filter((line) => line.startsWith(controller)).map((line) => line.slice(controller.length + 1));

describe('meta', () => {
  it('ends the play for one controller with end_host; the next play includes it', async () => {
    const ran = await run(`
- hosts: all
  tasks:
    - { meta: end_host, when: inventory_hostname == "lb2" }
    - { name: after, debug: }
- hosts: all
  tasks:
    - { name: next, debug: }
`);
    expect(by(ran, 'lb1')).to.deep.equal(['after: ok', 'next: ok']);
    expect(by(ran, 'lb2')).to.deep.equal(['next: ok']);
    expect(ran.finished.stats['lb2']).to.include({ ok: 1, skipped: 0 });
  });

  it('leaves those out of ansible_play_hosts for which the play has ended, until their batch has ended', async () => {
    const playing = `{ debug: { msg: '{{ ansible_play_hosts | join(" ") }}' } }`;
    const { said } = await run(`
- hosts: all
  strategy: linear
  serial: [2, 1]
  tasks:
    - ${playing}
    - { meta: end_host, when: inventory_hostname == "lb2" }
    - ${playing}
- hosts: all
  tasks: [${playing}]
`);
    const all = 'lb1 lb2 lb3';
    expect(said).to.deep.equal([all, all, 'lb1 lb3', all, all, all, all, all]);
  });

  it('sees variables of its own and of the block around it in its condition', async () => {
    const ran = await run(`
- hosts: all
  tasks:
    - { meta: end_host, when: go == inventory_hostname, vars: { go: lb1 } }
    - { block: [{ meta: end_host, when: go == inventory_hostname }], vars: { go: lb2 } }
    - { name: after, debug: }
`);
    expect(ran.lines).to.deep.equal(['lb3 after: ok']);
  });

  it('runs no always of a block in which the play ends', async () => {
    for (const action of ['end_host', 'end_batch', 'end_play']) {
      const block = `block: [{ name: inside, debug: }, { meta: ${action} }], always: [{ name: always, debug: }]`;
      const ran = await run(`- hosts: all\n  strategy: linear\n  tasks: [{ ${block} }, { name: after, debug: }]\n`);
      expect(ran.lines, action).to.deep.equal(['lb1 inside: ok', 'lb2 inside: ok', 'lb3 inside: ok']);
      expect(ran.finished.exitCode).to.equal(0);
    }
  });

  it('ends the role with end_role, without the always of a block around, for one controller', async () => {
    const ran = await run('- hosts: all\n  roles: [outer]\n  tasks: [{ name: after, debug: }]\n', {
      files: {
        'roles/outer/tasks/main.yml': '- include_role: { name: inner }\n- { name: more, debug: }\n',
        'roles/inner/tasks/main.yml': `
- block: [{ meta: end_role, when: inventory_hostname == "lb2" }, { name: inside, debug: }]
  always: [{ name: always, debug: }]
- { name: end, debug: }
`,
      },
    });
    const [included, more] = ['include_role : inner: ok', 'outer : more: ok'];
    const whole = [included, 'inner : inside: ok', 'inner : always: ok', 'inner : end: ok', more, 'after: ok'];
    expect(by(ran, 'lb1')).to.deep.equal(whole);
    expect(by(ran, 'lb2')).to.deep.equal([included, more, 'after: ok']);
    expect(by(ran, 'lb3')).to.deep.equal(whole);
  });

  it('ends the batch with end_batch, and the play with end_play', async () => {
    const play = (action: string): string => `
- hosts: all
  serial: 1
  strategy: linear
  tasks:
    - { meta: ${action}, when: inventory_hostname == "lb2" }
    - { name: after, debug: }
- hosts: all
  tasks:
    - { name: next, debug: }
`;
    const batch = await run(play('end_batch'));
    expect(['lb1', 'lb2', 'lb3'].map((name) => by(batch, name))).to.deep.equal([
      ['after: ok', 'next: ok'],
      ['next: ok'],
      ['after: ok', 'next: ok'],
    ]);
    const whole = await run(play('end_play'));
    expect(by(whole, 'lb3')).to.deep.equal(['next: ok']);
  });

  for (const action of ['end_batch', 'end_play'])
    it(`ends with ${action} also for controllers that have not begun, under host_pinned`, async () => {
      const ran = await run(
        `
- hosts: all
  strategy: host_pinned
  tasks:
    - { name: before, debug: }
    - { meta: ${action}, when: inventory_hostname == "lb2" }
    - { name: after, debug: }
- hosts: all
  tasks:
    - { name: next, debug: }
`,
        { forks: 1 },
      );
      expect(['lb1', 'lb2', 'lb3'].map((name) => by(ran, name))).to.deep.equal([
        ['before: ok', 'after: ok', 'next: ok'],
        ['before: ok', 'next: ok'],
        ['next: ok'],
      ]);
      expect(ran.finished.exitCode).to.equal(0);
    });

  it('lets the first controller decide about end_play under linear, for all controllers', async () => {
    const ran = await run(`
- hosts: all
  strategy: linear
  tasks:
    - { meta: end_play, when: inventory_hostname == "lb2" }
    - { name: before, debug: }
    - { meta: end_play, when: inventory_hostname == "lb1" }
    - { name: after, debug: }
`);
    expect(ran.lines).to.deep.equal(['lb1 before: ok', 'lb2 before: ok', 'lb3 before: ok']);
  });

  it('lets the next controller decide under linear if the condition fails on the first one', async () => {
    const decided = (tasks: string): Promise<Ran> =>
      run(`
- hosts: all
  strategy: linear
  tasks:
    - { set_fact: { limit: 1 }, when: inventory_hostname != "lb1" }
    ${tasks}
    - { name: after, debug: }
`);
    const ending = '{ meta: end_play, when: limit == 1 }';
    const ended = await decided(`- ${ending}`);
    expect(by(ended, 'lb1').at(-1)).to.equal('meta: end_play: failed');
    expect(ended.lines.join()).to.not.include('after');
    const rescued = await decided(`- { block: [${ending}], rescue: [{ name: rescue, debug: }] }`);
    expect(rescued.lines.join()).to.not.include('after');
    const other = await decided('- { meta: end_play, when: limit == 2 }');
    expect(['lb1', 'lb2', 'lb3'].map((name) => by(other, name).at(-1))).to.deep.equal([
      'meta: end_play: failed',
      'after: ok',
      'after: ok',
    ]);
  });

  it('lets failed controllers take part in the next play with clear_host_errors', async () => {
    const ran = await run(`
- hosts: all
  strategy: linear
  tasks:
    - { name: broken, fail: , when: inventory_hostname == "lb2" }
    - meta: clear_host_errors
- hosts: all
  tasks:
    - { name: next, debug: }
`);
    expect(by(ran, 'lb2')).to.deep.equal(['broken: failed', 'next: ok']);
    expect(ran.finished.exitCode, 'what was cleared does not count, as in Ansible').to.equal(0);
  });

  it('removes the facts with clear_facts', async () => {
    const ran = await run(`
- hosts: lb1
  tasks:
    - set_fact: { fact: 1 }
    - meta: clear_facts
    - debug: { msg: "{{ fact | default('gone') }}" }
`);
    expect(ran.said.length).to.equal(1);
  });

  it('fails the controller if its condition cannot be evaluated, with the position', async () => {
    const ran = await run(`
- hosts: lb1
  tasks:
    - { meta: end_host, when: unknown }
    - { name: after, debug: }
`);
    expect(ran.lines).to.deep.equal(['lb1 meta: end_host: failed']);
    expect(ran.tasks[0]?.source.line).to.equal(4);
  });

  it('runs the notified handlers with flush_handlers', async () => {
    const ran = await run(`
- hosts: lb1
  tasks:
    - { name: change, debug: , changed_when: true, notify: handler }
    - meta: flush_handlers
    - { name: after, debug: }
  handlers:
    - { name: handler, debug: }
`);
    expect(by(ran, 'lb1')).to.deep.equal(['change: changed', 'handler: ok', 'after: ok']);
  });
});

describe('force_handlers', () => {
  const PLAY = `
- hosts: lb1
  force_handlers: true
  pre_tasks:
    - { name: change, debug: , changed_when: true, notify: handler }
    - { name: broken, fail: }
  tasks:
    - { name: never, debug: }
  handlers:
    - { name: handler, debug: }
`;

  it('runs notified handlers even after a failure', async () => {
    const ran = await run(PLAY);
    expect(by(ran, 'lb1')).to.deep.equal(['change: changed', 'broken: failed', 'handler: ok']);
  });

  it('runs all handlers that a halt or an interrupt kept from running', async () => {
    const flushed = (options: TextOptions): Promise<Ran> =>
      run(
        `
- hosts: lb1,lb2
  strategy: host_pinned
  force_handlers: true
  any_errors_fatal: true
  tasks:
    - { name: change, debug: , changed_when: true, notify: [one, two, three], when: inventory_hostname == "lb1" }
    - meta: flush_handlers
    - { name: broken, fail: , when: inventory_hostname == "lb2" }
  handlers:
    - { name: one, pause: { prompt: Go on? } }
    - { name: two, debug: }
    - { name: three, debug: }
`,
        options,
      );
    const HANDLED = ['change: changed', 'one: ok', 'two: ok', 'three: ok'];
    let failed = (): void => undefined;
    const hasFailed = new Promise<string>((resolve) => {
      failed = () => {
        resolve('');
      };
    });
    const halted = await flushed({
      ask: () => hasFailed,
      watch: (event) => {
        if (event.type === 'task-finished' && event.task === 'broken') failed();
      },
    });
    expect(by(halted, 'lb1')).to.deep.equal(HANDLED);
    expect(halted.finished).to.deep.include({ exitCode: 2, cutOff: ['lb1'] });
    const interrupt = new AbortController();
    const stopped = await flushed({
      ask: () => Promise.resolve(''),
      drain: interrupt.signal,
      watch: (event) => {
        if (event.type === 'task-finished' && event.task === 'one') interrupt.abort();
      },
    });
    expect(by(stopped, 'lb1')).to.deep.equal(HANDLED);
  });

  it('can come from the command line', async () => {
    const without = PLAY.replace('  force_handlers: true\n', '');
    expect(by(await run(without), 'lb1')).to.deep.equal(['change: changed', 'broken: failed']);
    const forced = await runText(without, { inventory: THREE, forceHandlers: true });
    expect(by(forced, 'lb1')).to.deep.equal(['change: changed', 'broken: failed', 'handler: ok']);
  });
});

describe('order', () => {
  const names = async (order: string): Promise<string> => {
    const ran = await run(`- hosts: all\n  order: ${order}\n  serial: 1\n  tasks: [{ name: t, debug: }]\n`);
    return ran.lines.map((line) => line.slice(2, 3)).join('');
  };

  it('decides which controllers start first', async () => {
    expect(await names('inventory')).to.equal('123');
    expect(await names('reverse_inventory')).to.equal('321');
    expect(await names('sorted')).to.equal('123');
    expect(await names('reverse_sorted')).to.equal('321');
    expect(await names('shuffle')).to.match(/^(?!.*(.).*\1)[123]{3}$/);
  });
});

describe('a playbook that did not reach all controllers', () => {
  it('ends the run before the next playbook', async () => {
    const ran = await runText('- hosts: all\n  tasks: [{ name: t, fail: , when: inventory_hostname == "lb1" }]\n', {
      inventory: THREE,
      files: { 'second.yml': '- hosts: all\n  tasks: [{ name: second, debug: }]\n' },
      playbooks: ['site.yml', 'second.yml'],
    });
    expect(ran.lines.some((line) => line.includes('second'))).to.equal(false);
    expect(ran.finished.reason).to.equal('lb1 failed in site.yml');
  });

  it('says how controllers were lost', async () => {
    const reason = async (tasks: string): Promise<string | undefined> => {
      const { finished } = await runText(`- hosts: all\n  tasks: [${tasks}]\n`, {
        inventory: `all: { vars: { ${DEAD_CONTROLLER}, controller_shared: true, controller_username: a, controller_password: b, controller_api_version: 22.1.3 }, hosts: { lb1: , lb2: , lb3: } }`,
        files: { 'second.yml': '- hosts: all\n  tasks: [{ name: second, debug: }]\n' },
        playbooks: ['site.yml', 'second.yml'],
      });
      return finished.reason;
    };
    const ask = (name: string): string => `{ api_request: { path: /api/x }, when: inventory_hostname == "${name}" }`;
    expect(await reason(ask('lb1'))).to.equal('lb1 could not be reached in site.yml');
    expect(await reason(`${ask('lb1')}, ${ask('lb2')}`)).to.equal('2 controllers could not be reached in site.yml');
    expect(await reason(`${ask('lb1')}, { fail: , when: inventory_hostname == "lb2" }`)).to.equal(
      '2 controllers failed or could not be reached in site.yml',
    );
  });
});
