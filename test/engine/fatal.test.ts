import { expect } from 'chai';
import { runText, type Ran } from '../rig/run_text.js';
import { DEAD_CONTROLLER } from '../rig/waits.js';

const FOUR = 'all: { hosts: { lb1: , lb2: , lb3: , lb4: } }';

function run(play: string, strategy = 'linear'): Promise<Ran> {
  return runText(play.replace('STRATEGY', strategy), { inventory: FOUR });
}

const by = ({ lines }: Ran, controller: string): readonly string[] =>
  lines.filter((line) => line.startsWith(controller)).map((line) => line.slice(controller.length + 1));

describe('any_errors_fatal', () => {
  const PLAY = `
- hosts: all
  strategy: STRATEGY
  any_errors_fatal: true
  tasks:
    - block:
        - { name: one, fail: , when: inventory_hostname == "lb2" }
        - { name: two, debug: }
      always:
        - { name: always, debug: }
    - { name: three, debug: }
- hosts: all
  tasks:
    - { name: other play, debug: }
`;

  it('ends the batch for all controllers, runs always, and ends the run', async () => {
    const ran = await run(PLAY);
    expect(by(ran, 'lb1')).to.deep.equal(['one: skipped', 'always: ok']);
    expect(by(ran, 'lb2')).to.deep.equal(['one: failed', 'always: ok']);
    expect(ran.lines.some((line) => line.includes('other play'))).to.equal(false);
    expect(ran.finished).to.include({
      exitCode: 2,
      reason: '"one" failed on lb2, which any_errors_fatal makes fatal for all',
    });
    expect(ran.finished.cutOff, 'well, and not through').to.deep.equal(['lb1', 'lb3', 'lb4']);
    expect(ran.finished.unstarted).to.deep.equal([]);
  });

  it('acts at once if controllers do not wait for each other', async () => {
    const ran = await runText(PLAY.replace('STRATEGY', 'host_pinned'), { inventory: FOUR, forks: 1 });
    expect(by(ran, 'lb1')).to.deep.equal(['one: skipped', 'two: ok', 'always: ok', 'three: ok']);
    expect(by(ran, 'lb2')).to.deep.equal(['one: failed', 'always: ok']);
    expect(by(ran, 'lb3')).to.deep.equal([]);
    expect(ran.finished.unstarted).to.deep.equal(['lb3', 'lb4']);
    expect(ran.finished.cutOff, 'through with this play, but not with the next').to.deep.equal(['lb1']);
  });

  const CLEARED = `
- hosts: all
  strategy: STRATEGY
  tasks:
    - block:
        - { name: one, fail: , FATAL }
        - { name: two, debug: }
      always:
        - { name: always, debug: }
        - meta: clear_host_errors
    - block:
        - { name: three, debug: }
      always:
        - { name: other always, debug: }
- hosts: all
  tasks:
    - { name: other play, debug: }
`;
  const CONTINUED = ['always: ok', 'three: ok', 'other always: ok', 'other play: ok'];

  it('is taken back by clear_host_errors in the always of the block', async () => {
    const ran = await run(CLEARED.replace('FATAL', 'any_errors_fatal: true, when: inventory_hostname == "lb2"'));
    expect(by(ran, 'lb1')).to.deep.equal(['one: skipped', ...CONTINUED]);
    expect(by(ran, 'lb2')).to.deep.equal(['one: failed', ...CONTINUED]);
    expect(ran.finished).to.include({ exitCode: 0 }).and.not.have.property('cutOff');
  });

  for (const strategy of ['linear', 'host_pinned'])
    it(`is taken back for run_once, too: ${strategy}`, async () => {
      const ran = await run(CLEARED.replace('FATAL', 'run_once: true'), strategy);
      expect(by(ran, 'lb1')).to.deep.equal(['one: failed', ...CONTINUED]);
      for (const name of ['lb2', 'lb3', 'lb4']) expect(by(ran, name)).to.deep.equal(CONTINUED);
      expect(ran.finished).to.include({ exitCode: 0 }).and.not.have.property('cutOff');
    });

  it('is no success if it ended the run, although the failure itself was cleared', async () => {
    const playbook = `
- hosts: all
  strategy: host_pinned
  tasks:
    - block: [{ name: one, fail: , any_errors_fatal: true }]
      always: [{ name: wait, pause: { seconds: 0.01 } }, meta: clear_host_errors]
    - { name: after, debug: }
`;
    const ran = await runText(playbook, { inventory: FOUR, forks: 1 });
    expect(ran.lines).to.deep.equal(['lb1 one: failed', 'lb1 wait: ok']);
    expect(ran.finished).to.deep.include({ status: 'failed', exitCode: 2, cutOff: ['lb1'] });
    expect(ran.finished.unstarted).to.deep.equal(['lb2', 'lb3', 'lb4']);
  });

  it('is not taken back by another block, whose always does not run if none of its tasks has', async () => {
    const ran = await run(`
- hosts: all
  strategy: STRATEGY
  tasks:
    - { name: one, fail: , any_errors_fatal: true, when: inventory_hostname == "lb2" }
    - block:
        - { name: two, debug: }
      always:
        - { name: always, debug: }
        - meta: clear_host_errors
    - { name: three, debug: }
`);
    expect(by(ran, 'lb1')).to.deep.equal(['one: skipped']);
    expect(ran.finished).to.deep.include({ exitCode: 2, cutOff: ['lb1', 'lb3', 'lb4'] });
  });

  it('ignores a rescued failure', async () => {
    const ran = await run(`
- hosts: all
  strategy: STRATEGY
  any_errors_fatal: true
  tasks:
    - block:
        - { name: one, fail: , when: inventory_hostname == "lb2" }
      rescue:
        - { name: rescue, debug: }
    - { name: two, debug: }
`);
    expect(by(ran, 'lb1')).to.deep.equal(['one: skipped', 'two: ok']);
    expect(by(ran, 'lb2')).to.deep.equal(['one: failed', 'rescue: ok', 'two: ok']);
    expect(ran.finished.exitCode).to.equal(0);
  });
});

describe('max_fail_percentage', () => {
  const play = (limit: string): string => `
- hosts: all
  strategy: STRATEGY
  max_fail_percentage: ${limit}
  tasks:
    - { name: one, fail: , when: inventory_hostname == "lb2" }
    - { name: two, debug: }
- hosts: all
  tasks:
    - { name: other play, debug: }
`;

  it('ends the run when it is exceeded', async () => {
    const ran = await run(play('20'));
    expect(by(ran, 'lb1')).to.deep.equal(['one: skipped']);
    expect(ran.finished.reason).to.equal('max_fail_percentage (20%) was exceeded when 1 of 4 controllers had failed');
  });

  it('allows exactly that many failures', async () => {
    for (const limit of ['25', '"25%"', '"{{ 25 }}"']) {
      const ran = await run(play(limit));
      expect(by(ran, 'lb1'), limit).to.deep.equal(['one: skipped', 'two: ok', 'other play: ok']);
      expect(by(ran, 'lb2')).to.deep.equal(['one: failed']);
    }
  });

  for (const [what, step] of [
    ['a meta step whose condition breaks', "{ meta: noop, when: 'nothing.here' }"],
    ['a block whose loop breaks', "{ loop: '{{ nothing }}', block: [{ debug: }] }"],
  ] as const)
    it(`counts ${what}`, async () => {
      const ran = await run(`
- hosts: all
  strategy: STRATEGY
  max_fail_percentage: 20
  tasks:
    - { set_fact: { nothing: [] }, when: inventory_hostname != "lb2" }
    - { set_fact: { nothing: { here: true } }, when: inventory_hostname != "lb2" and "${what}" is search("meta") }
    - ${step}
    - { name: after, debug: }
`);
      expect(ran.lines.some((line) => line.includes('after'))).to.equal(false);
      expect(ran.finished.reason).to.equal('max_fail_percentage (20%) was exceeded when 1 of 4 controllers had failed');
    });

  it('counts the failures of each batch separately', async () => {
    const ran = await run(play('40').replace('  tasks', '  serial: 2\n  tasks'));
    expect(by(ran, 'lb1')).to.deep.equal(['one: skipped']);
    expect(by(ran, 'lb3')).to.deep.equal([]);
    expect(ran.finished.reason).to.equal('max_fail_percentage (40%) was exceeded when 1 of 2 controllers had failed');
  });
});

describe('a round under linear', () => {
  const limits = ['any_errors_fatal: true', 'max_fail_percentage: 0'];
  /** Controllers that reach a task one after the other, so that the first has failed before the others start it. */
  const queues = { forks: { keyword: '', forks: 1 }, throttle: { keyword: ', throttle: 1', forks: 50 } };
  for (const limit of limits) {
    for (const [name, { keyword, forks }] of Object.entries(queues)) {
      it(`is finished by all controllers before ${limit} ends the batch (${name})`, async () => {
        const ran = await runText(
          `
- hosts: all
  strategy: linear
  ${limit}
  tasks:
    - { name: one, fail: , when: inventory_hostname == "lb1"${keyword} }
    - { name: two, debug: }
`,
          { inventory: FOUR, forks },
        );
        expect(ran.lines).to.deep.equal([
          'lb1 one: failed',
          'lb2 one: skipped',
          'lb3 one: skipped',
          'lb4 one: skipped',
        ]);
        expect(ran.finished.cutOff).to.deep.equal(['lb2', 'lb3', 'lb4']);
        expect(ran.finished.exitCode).to.equal(2);
      });
    }
  }

  it('is finished by all controllers in the checks of a gate', async () => {
    const ran = await runText(
      `
- hosts: all
  strategy: linear
  gate:
    checks:
      - { name: one, fail: , when: inventory_hostname == "lb1", any_errors_fatal: true, throttle: 1 }
      - { name: two, debug: }
  tasks: []
`,
      { inventory: FOUR },
    );
    expect(ran.lines).to.deep.equal(['lb1 one: failed', 'lb2 one: skipped', 'lb3 one: skipped', 'lb4 one: skipped']);
  });

  it('delays a meta step of controllers that are ahead', async () => {
    const ran = await runText(
      `
- hosts: all
  strategy: linear
  any_errors_fatal: true
  tasks:
    - { name: one, fail: , when: inventory_hostname == "lb4" }
    - meta: end_host
`,
      { inventory: FOUR, forks: 1 },
    );
    expect(ran.finished.cutOff).to.deep.equal(['lb1', 'lb2', 'lb3']);
  });
});

describe('run_once', () => {
  for (const strategy of ['linear', 'host_pinned']) {
    it(`runs on the first controller, and all use its result (${strategy})`, async () => {
      const ran = await run(
        `
- hosts: all
  strategy: STRATEGY
  tasks:
    - { name: once, set_fact: { who: "{{ inventory_hostname }}" }, run_once: true, register: result }
    - { name: said, debug: { msg: "{{ who }} {{ result.changed }}" } }
`,
        strategy,
      );
      expect(ran.lines.filter((line) => line.includes('once'))).to.deep.equal(['lb1 once: ok']);
      expect(ran.said).to.deep.equal(['lb1 False', 'lb1 False', 'lb1 False', 'lb1 False']);
    });

    it(`fails all controllers when it fails (${strategy})`, async () => {
      const ran = await run(
        `
- hosts: all
  strategy: STRATEGY
  tasks:
    - { name: once, fail: { msg: broken }, run_once: true }
    - { name: after, debug: }
- hosts: all
  tasks:
    - { name: other play, debug: }
`,
        strategy,
      );
      expect(ran.lines).to.deep.equal(['lb1 once: failed']);
      expect(ran.finished).to.include({
        exitCode: 2,
        reason: '"once" failed on lb1, which run_once makes fatal for all',
      });
      expect(ran.finished.unstarted).to.deep.equal(['lb2', 'lb3', 'lb4']);
    });
  }

  for (const strategy of ['linear', 'host_pinned'])
    for (const [name, task] of [
      ['pause', "pause: { prompt: 'Go on?' }, register: r, failed_when: r.user_input != 'yes'"],
      ['add_host', "add_host: { name: '{{ nothing }}' }"],
    ] as const)
      it(`is what a failed ${name} was, without the keyword (${strategy})`, async () => {
        const playbook = `
- hosts: all
  strategy: ${strategy}
  serial: 3
  tasks:
    - { name: once, ${task} }
    - { name: after, debug: }
- hosts: all
  tasks:
    - { name: other play, debug: }
`;
        const ran = await runText(playbook, { inventory: FOUR, ask: () => Promise.resolve('no') });
        expect(ran.lines).to.deep.equal(['lb1 once: failed']);
        expect(ran.finished).to.deep.include({
          exitCode: 2,
          reason: `"once" failed on lb1, which ${name} makes fatal for all`,
          unstarted: ['lb2', 'lb3', 'lb4'],
        });
      });

  for (const strategy of ['linear', 'host_pinned'])
    it(`runs for each item of a looped include, on the first controller that has it (${strategy})`, async () => {
      const ran = await runText(
        `
- hosts: all
  strategy: ${strategy}
  tasks:
    - { include_tasks: once.yml, loop: "{{ sites }}", when: item != "z" }
    - { name: after, debug: { msg: "{{ r.msg }}" } }
`,
        {
          inventory:
            'all: { hosts: { lb1: { sites: [z, a, b] }, lb2: { sites: [b] }, lb3: { sites: [c, a] }, lb4: { sites: [c] } } }',
          files: {
            'once.yml':
              '- { name: once, debug: { msg: "{{ item }} on {{ inventory_hostname }}" }, run_once: true, register: r }\n',
          },
        },
      );
      const once = ran.tasks.filter(({ task }) => task === 'once').map(({ message = '' }) => message);
      expect(once.toSorted()).to.deep.equal(['a on lb1', 'b on lb1', 'c on lb3']);
      expect(ran.finished.exitCode).to.equal(0);
    });

  it('runs for each item of a looped block, and as often as a controller has it', async () => {
    const ran = await runText(
      `
- hosts: all
  tasks:
    - block: [{ name: once, debug: { msg: "{{ item }} on {{ inventory_hostname }}" }, run_once: true }]
      loop: "{{ sites }}"
`,
      { inventory: 'all: { hosts: { lb1: { sites: [a, a] }, lb2: { sites: [b, a, a] }, lb3: { sites: [b, a] } } }' },
    );
    expect(ran.said.toSorted()).to.deep.equal(['a on lb1', 'a on lb1', 'b on lb2']);
  });

  it('runs once as a handler, whichever handlers its controllers have before it', async () => {
    const ran = await runText(
      `
- hosts: all
  tasks:
    - { include_role: { name: more }, when: inventory_hostname == "lb1" }
    - include_role: { name: web }
`,
      {
        inventory: 'all: { hosts: { lb1: , lb2: } }',
        files: {
          'roles/more/tasks/main.yml': '- { name: more, debug: }\n',
          'roles/more/handlers/main.yml': '- { name: other, debug: }\n',
          'roles/web/tasks/main.yml': '- { name: change, debug: , changed_when: true, notify: once }\n',
          'roles/web/handlers/main.yml':
            '- { name: once, debug: { msg: "once on {{ inventory_hostname }}" }, run_once: true }\n',
        },
      },
    );
    expect(ran.said.filter((text) => text.startsWith('once'))).to.deep.equal(['once on lb1']);
  });

  it('runs the rescue of all controllers when it fails', async () => {
    const ran = await run(`
- hosts: all
  strategy: STRATEGY
  tasks:
    - block:
        - { name: once, fail: { msg: broken }, run_once: true }
      rescue:
        - { name: rescue, debug: { msg: "{{ ansible_failed_result.msg }}" } }
    - { name: after, debug: }
`);
    expect(by(ran, 'lb3')).to.deep.equal(['rescue: ok', 'after: ok']);
    expect(ran.said[3]).to.equal('broken');
    expect(ran.finished.exitCode).to.equal(0);
  });

  it('fails even controllers that never reach it', async () => {
    const ran = await run(`
- hosts: all
  strategy: STRATEGY
  tasks:
    - block:
        - { name: broken, fail: , when: inventory_hostname == "lb4" }
      rescue:
        - { name: once, debug: { msg: rescued }, run_once: true, register: result }
    - { name: look, debug: { msg: "{{ result.msg }}" } }
`);
    expect(ran.lines.filter((line) => line.includes('once'))).to.deep.equal(['lb4 once: ok']);
    expect(ran.said).to.deep.equal(['rescued', 'rescued', 'rescued', 'rescued', 'rescued']);
  });

  it('runs on the next controller when the first one has left the play', async () => {
    const ran = await run(`
- hosts: all
  strategy: STRATEGY
  tasks:
    - { name: gone, meta: end_host, when: inventory_hostname == "lb1" }
    - { name: lost, fail: , when: inventory_hostname == "lb2" }
    - { name: once, debug: , run_once: true }
`);
    expect(ran.lines.filter((line) => line.includes('once'))).to.deep.equal(['lb3 once: ok']);
  });
});

describe('any_errors_fatal, and ignore_errors that depends on the item of a loop', () => {
  it('lets the others go on without a controller that is away', async () => {
    const credentials = 'controller_username: admin, controller_password: secret, controller_api_version: 22.1.3';
    const inventory = `all: { hosts: { lb1: { ${DEAD_CONTROLLER}, ${credentials} }, lb2: } }\n`;
    const ran = await runText(
      `
- hosts: all
  strategy: linear
  any_errors_fatal: true
  tasks:
    - name: read
      api_request: { path: "/api/{{ item }}" }
      loop: [x]
      ignore_errors: "{{ item != 'y' }}"
      when: inventory_hostname == "lb1"
    - { name: rest, debug: }
`,
      { inventory },
    );
    expect(by(ran, 'lb2').at(-1)).to.equal('rest: ok');
  });
});

describe('a failure of what is no task', () => {
  const FAILING = {
    'the loop of a block': `
    - { block: [{ name: inside, debug: }], loop: '{{ sites }}' }`,
    'the break_when of a block': `
    - { block: [{ name: inside, debug: }], loop: [1], loop_control: { break_when: sites | length == 3 } }`,
    'the condition of a meta step': `
    - { meta: end_host, when: sites | length == 3 }`,
  };
  const SITES = 'all: { hosts: { lb1: , lb2: { sites: [a] }, lb3: { sites: [a] } } }';

  for (const [name, steps] of Object.entries(FAILING)) {
    it(`is fatal for all with any_errors_fatal: ${name}`, async () => {
      for (const strategy of ['linear', 'host_pinned']) {
        const play = `- hosts: all\n  strategy: ${strategy}\n  any_errors_fatal: true\n  tasks:${steps}\n    - { name: after, debug: }\n`;
        const ran = await runText(play, { inventory: SITES, forks: 1 });
        expect(ran.lines.filter((line) => line.includes('after'))).to.deep.equal([]);
        expect(ran.finished.reason).to.match(/^"\S.*" failed on lb1, which any_errors_fatal makes fatal for all$/);
        expect(ran.finished.exitCode).to.equal(2);
      }
    });

    it(`is known to a rescue, also after an earlier failure: ${name}`, async () => {
      const { said, finished } = await runText(
        `
- hosts: lb1
  any_errors_fatal: true
  tasks:
    - { block: [{ name: earlier, fail: }], rescue: [debug: ] }
    - block:${steps.replaceAll(/^/gm, '    ')}
      rescue:
        - debug: { msg: '{{ ansible_failed_task.action }}: {{ ansible_failed_result.msg }}' }
`,
        { inventory: SITES },
      );
      expect(said.at(-1)).to.match(/^(?:block|meta): .*"sites" is (?:undefined|not defined)/);
      expect(finished.exitCode).to.equal(0);
    });
  }

  it('is fatal for all with any_errors_fatal of the play: a missing file of vars_files', async () => {
    const play = `
- hosts: all
  any_errors_fatal: true
  vars_files: ['{{ inventory_hostname }}.yml']
  tasks: [{ name: after, debug: }]
`;
    const files = { 'lb2.yml': 'a: 1', 'lb3.yml': 'a: 1' };
    const ran = await runText(play, { inventory: SITES, files, forks: 1 });
    expect(ran.lines).to.deep.equal(['lb1 vars_files: failed']);
    expect(ran.finished.unstarted).to.deep.equal(['lb2', 'lb3']);
  });
});
