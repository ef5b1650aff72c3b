import { expect } from 'chai';
import type { Event } from '../../src/core/model/run/event.js';
import { runText } from '../rig/run_text.js';

const FOUR = 'all: { children: { eu: { hosts: { lb1: , lb2: } }, us: { hosts: { lb3: , lb4: } } } }';

const types = (events: readonly Event[]): readonly string[] => events.map(({ type }) => type);

describe('plays', () => {
  it('emit events from the start of the run to its end', async () => {
    const { events, finished } = await runText(`
- name: hello
  hosts: lb1
  tasks:
    - debug: { msg: hi }
`);
    expect(types(events)).to.deep.equal([
      'run-started',
      'play-started',
      'batch-started',
      'task-started',
      'task-finished',
      'controller-finished',
      'batch-finished',
      'play-finished',
      'run-finished',
    ]);
    expect(events[0]).to.deep.include({
      run: 'test-run',
      schemaVersion: 1,
      playbooks: ['site.yml'],
      environment: null,
    });
    expect(events[1]).to.deep.include({ play: 'hello', controllers: ['lb1'], strategy: 'host_pinned', tasks: 1 });
    expect(events.every(({ time }) => !Number.isNaN(Date.parse(time)))).to.equal(true);
    expect(events.at(-1)).to.equal(finished);
  });

  it('are numbered if a run has several', async () => {
    const places = async (playbook: string): Promise<unknown> =>
      (await runText(playbook)).events.flatMap((event) =>
        event.type === 'play-started' ? [[event.number, event.plays]] : [],
      );
    const play = '- hosts: lb1\n  tasks: [{ debug: }]\n';
    expect(await places(play)).to.deep.equal([[undefined, undefined]]);
    expect(await places(play + play)).to.deep.equal([
      [1, 2],
      [2, 2],
    ]);
  });

  it('report the number of tasks in later plays, as the tags select them', async () => {
    const playbook = `
- { hosts: lb1, tasks: [{ debug: }] }
- { hosts: 'lb1:lb2', tasks: [{ debug: }, { block: [{ debug: }], rescue: [{ debug: }] }, { debug: , tags: slow }] }
- { hosts: lb2, tasks: [{ debug: }] }
`;
    const { events } = await runText(playbook, { inventory: FOUR, skipTags: ['slow'] });
    const later = events.flatMap((event) => (event.type === 'play-started' ? [event.later] : []));
    expect(later).to.deep.equal([2 * 2 + 1, 1, undefined]);
  });

  it('report the groups and the routes of their controllers, by places, as far as variables say them before', async () => {
    const routes = new Map([['paris', ['socks5h://gw.paris:1080']]]);
    const inventory = `
all:
  children:
    eu: { hosts: { lb1: { controller_route: paris }, lb2: { controller_route: '{{ nobody }}' } } }
    us: { hosts: { lb3: { controller_proxy: 'http://user:secret@proxy.us:3128' }, lb4: , lb5: { controller_proxy: '' } } }
    west: { hosts: { lb3: { controller_route: '' } } }
`;
    const started = async (playbook: string, extraVars = {}): Promise<readonly unknown[]> => {
      const settingSources = { readCa: () => '', routes };
      const { events } = await runText(playbook, { inventory, extraVars, settingSources });
      return events.flatMap((event) => (event.type === 'play-started' ? [[event.groups, event.routes]] : []));
    };
    const plays = `
- { hosts: all, tasks: [{ debug: }] }
- { hosts: 'lb4:lb1', vars: { controller_route: paris }, tasks: [{ debug: }] }
- { hosts: lb5, tasks: [{ debug: }] }
`;
    expect(await started(plays)).to.deep.equal([
      [
        { eu: [0, 1], us: [2, 3, 4], west: [2] },
        { paris: [0], 'proxy.us:3128': [2] },
      ],
      [{ us: [0], eu: [1] }, { paris: [0, 1] }],
      [{ us: [0] }, undefined],
    ]);
    const everywhere = { controller_route: 'paris', controller_proxy: '' };
    expect(await started('- { hosts: "lb4:lb5", tasks: [{ debug: }] }', everywhere)).to.deep.equal([
      [{ us: [0, 1] }, { paris: [0, 1] }],
    ]);
  });

  it('take their controllers from extra variables: a pattern, or a list of patterns', async () => {
    const playbook = '- hosts: "{{target}}"\n  tasks:\n    - { name: one, debug: }\n';
    for (const target of ['us,lb1', ['us', 'lb1']]) {
      const { events } = await runText(playbook, { inventory: FOUR, extraVars: { target } });
      expect(events.find(({ type }) => type === 'play-started')).to.deep.include({
        controllers: ['lb3', 'lb4', 'lb1'],
      });
    }
  });

  it('are all refused if hosts is invalid, before anything starts', async () => {
    const emitted: Event[] = [];
    const started = runText(
      '- { hosts: "{{ a }}", serial: "{{ first }}", tasks: [] }\n- { hosts: all, serial: "{{ second }}", tasks: [] }',
      { extraVars: { a: 'all', first: 'one', second: 'two' }, watch: (event) => emitted.push(event) },
    );
    await started.then(
      () => expect.fail('it ran'),
      (error: unknown) => {
        expect(error)
          .to.have.property('message')
          .that.matches(/^serial takes .*"one"\nserial takes .*"two"$/);
      },
    );
    expect(emitted).to.deep.equal([]);
  });

  it('leave out failed controllers in later batches and plays', async () => {
    const { lines, finished } = await runText(
      `
- hosts: all
  tasks:
    - { name: one, fail: { msg: nope }, when: inventory_hostname == "lb2" }
- hosts: all
  tasks:
    - { name: two, debug: { msg: '{{ansible_play_hosts}} of {{ansible_play_hosts_all}}' } }
`,
      { inventory: FOUR },
    );
    expect(lines.filter((line) => line.includes('two'))).to.deep.equal(['lb1 two: ok', 'lb3 two: ok', 'lb4 two: ok']);
    expect(finished.exitCode).to.equal(2);
    expect(finished.unstarted).to.deep.equal([]);
  });

  it('end the run after a batch in which all controllers failed', async () => {
    const { lines, finished } = await runText(
      `
- hosts: all
  serial: 2
  tasks:
    - { name: one, fail: { msg: nope }, when: inventory_hostname in groups.eu }
- hosts: localhost
  tasks:
    - { name: two, debug: { msg: hi } }
`,
      { inventory: FOUR },
    );
    expect(lines).to.deep.equal(['lb1 one: failed', 'lb2 one: failed']);
    expect(finished.unstarted).to.deep.equal(['lb3', 'lb4', 'localhost']);
  });

  it('take serial from a variable, and emit events for batches', async () => {
    const { events } = await runText(
      `
- hosts: all
  serial: '{{sizes}}'
  vars: { sizes: [1, '50%'] }
  tasks:
    - debug: { msg: '{{ansible_play_batch}}' }
`,
      { inventory: FOUR },
    );
    const batches = events.flatMap((event) => (event.type === 'batch-started' ? [event] : []));
    expect(batches.map(({ batch, batches: all, controllers }) => [batch, all, controllers])).to.deep.equal([
      [1, 3, ['lb1']],
      [2, 3, ['lb2', 'lb3']],
      [3, 3, ['lb4']],
    ]);
  });

  it('run task by task under linear, controller by controller under host_pinned', async () => {
    const playbook = (strategy: string): string => `
- hosts: eu
  strategy: ${strategy}
  tasks:
    - { name: one, wait_for: { timeout: '{{1 if inventory_hostname == "lb1" else 0}}' }, changed_when: true, notify: h }
    - { name: two, debug: { msg: hi } }
  handlers:
    - { name: h, debug: { msg: hi } }
`;
    const linear = await runText(playbook('linear'), { inventory: FOUR });
    expect(linear.lines.map((line) => line.split(' ')[1])).to.deep.equal(['one:', 'one:', 'two:', 'two:', 'h:', 'h:']);
    const pinned = await runText(playbook('host_pinned'), { inventory: FOUR });
    expect(pinned.lines.slice(0, 3)).to.deep.equal(['lb2 one: changed', 'lb2 two: ok', 'lb2 h: ok']);
  });

  it('continue without failed controllers under linear', async () => {
    const { lines } = await runText(
      `
- hosts: all
  tasks:
    - { name: one, fail: { msg: nope }, when: inventory_hostname == "lb3" }
    - { name: two, debug: { msg: hi } }
`,
      { inventory: FOUR, strategy: 'linear', forks: 1 },
    );
    expect(lines.filter((line) => line.includes('two'))).to.have.length(3);
  });

  it('run only what limit and tags select', async () => {
    const { lines, events } = await runText(
      `
- hosts: all
  tasks:
    - { name: one, debug: { msg: hi }, tags: a }
    - { name: two, debug: { msg: hi }, tags: [a, b] }
    - { name: three, debug: { msg: '{{ansible_run_tags}} {{ansible_skip_tags}}' }, tags: always }
`,
      { inventory: FOUR, limit: new Set(['lb4']), tags: ['a'], skipTags: ['b'] },
    );
    expect(lines).to.deep.equal(['lb4 one: ok', 'lb4 three: ok']);
    expect(events.find(({ type }) => type === 'play-started')).to.include({ tasks: 2 });
  });

  it('finish running tasks after an interrupt, and start nothing new', async () => {
    const interrupt = new AbortController();
    const { lines, finished } = await runText(
      `
- hosts: all
  tasks:
    - { name: one, pause: { seconds: 20 } }
    - { name: two, debug: { msg: hi } }
`,
      {
        inventory: FOUR,
        forks: 2,
        drain: interrupt.signal,
        watch: (event) => {
          if (event.type === 'task-started') interrupt.abort();
        },
      },
    );
    expect(lines).to.deep.equal(['lb1 one: interrupted']);
    expect(finished).to.deep.include({
      status: 'interrupted',
      exitCode: 130,
      unstarted: ['lb2', 'lb3', 'lb4'],
      cutOff: ['lb1'],
    });
  });

  it('report an interrupt as the only reason for the end, whatever fails meanwhile', async () => {
    const interrupt = new AbortController();
    const { finished } = await runText('- hosts: all\n  serial: 2\n  tasks: [fail: ]\n', {
      inventory: FOUR,
      drain: interrupt.signal,
      watch: (event) => {
        if (event.type === 'task-finished') interrupt.abort();
      },
    });
    expect(finished).to.include({ status: 'interrupted', exitCode: 130 }).and.to.not.have.property('reason');
  });

  it('do nothing if the run was interrupted before its start', async () => {
    const { events, finished } = await runText('- hosts: all\n  tasks: [debug: { msg: hi }]\n', {
      drain: AbortSignal.abort(),
    });
    expect(types(events)).to.deep.equal(['run-started', 'run-finished']);
    expect(finished).to.deep.include({ status: 'interrupted', exitCode: 130, unstarted: ['lb1'] });
  });

  it('yield to the event loop between tasks that never wait', async () => {
    const hosts = Array.from({ length: 1000 }, (_, index) => `lb${index}:`).join(', ');
    let turns = 0;
    const count = (): void => {
      turns++;
      next = setImmediate(count);
    };
    let next: NodeJS.Immediate | undefined;
    await runText('- hosts: all\n  tasks:\n' + '    - debug: { msg: "{{inventory_hostname}}" }\n'.repeat(10), {
      inventory: `all: { hosts: { ${hosts} } }`,
      watch: ({ type }) => {
        if (type === 'play-started') next = setImmediate(count);
        if (type === 'play-finished') clearImmediate(next);
      },
    });
    expect(turns).to.be.at.least(5);
  });
});
