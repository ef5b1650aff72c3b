import { expect } from 'chai';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';

const run = (play: string, options: TextOptions = {}): Promise<Ran> =>
  runText(`- hosts: all\n${play}- hosts: all\n  tasks: [{ name: next, debug: }]\n`, {
    inventory: 'all: { hosts: { lb1: , lb2: } }',
    ...options,
  });

const by = ({ lines }: Ran, controller: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${controller} `)).map((line) => line.slice(controller.length + 1));

describe('a failure that no rescue caught', () => {
  const FAIL = '{ name: one, fail: , when: inventory_hostname == "lb2" }';

  for (const [how, keywords, meta] of [
    ['end_host', '', '{ meta: end_host, when: inventory_hostname == "lb2" }'],
    ['end_play', 'strategy: linear', 'meta: end_play'],
    ['end_host, when it halts the batch', 'any_errors_fatal: true', 'meta: end_host'],
  ] as const)
    it(`stands if the always ends the play: ${how}`, async () => {
      const ran = await run(`  tasks:
    - block: [${FAIL}]
      always: [{ name: clean, debug: }, ${meta}]
    - { name: after, debug: }
${keywords.replace(/^(?=.)/, '  ').replace(/$/, '\n')}`);
      expect(by(ran, 'lb2')).to.deep.equal(['one: failed', 'clean: ok']);
      expect(ran.finished).to.include({ exitCode: 2 });
    });

  it('stands if the always could not begin, because another controller has ended the play', async () => {
    const forced = await run(`  strategy: linear
  force_handlers: true
  tasks:
    - { name: change, debug: , changed_when: true, notify: handler }
    - ${FAIL}
    - meta: end_play
  handlers: [{ name: handler, debug: }]
`);
    expect(by(forced, 'lb2')).to.deep.equal(['change: changed', 'one: failed']);
    expect(forced.finished).to.include({ exitCode: 2 });
    expect(by(forced, 'lb1')).to.include('next: ok');
  });

  it('stands if the always ends the role, and nothing of the role goes on', async () => {
    const ran = await run('  roles: [web]\n  tasks: [{ name: after, debug: }]\n', {
      files: {
        'roles/web/tasks/main.yml': `
- block: [${FAIL}]
  always: [{ name: clean, debug: }, { meta: end_role, when: inventory_hostname == "lb2" }, { name: more, debug: }]
- { name: later, debug: }
`,
      },
    });
    expect(by(ran, 'lb2')).to.deep.equal(['web : one: failed', 'web : clean: ok']);
    expect(by(ran, 'lb1')).to.include('after: ok');
    expect(ran.finished).to.include({ exitCode: 2 });
  });

  it('is still rescued by the block around if the always ends the role', async () => {
    const ran = await run(
      '  tasks: [{ block: [{ include_role: { name: web } }], rescue: [{ name: rescue, debug: }] }]\n',
      {
        files: {
          'roles/web/tasks/main.yml': `- block: [${FAIL}]\n  always: [meta: end_role]\n- { name: later, debug: }\n`,
        },
      },
    );
    expect(by(ran, 'lb2')).to.deep.equal(['include_role : web: ok', 'web : one: failed', 'rescue: ok', 'next: ok']);
    expect(ran.finished).to.include({ exitCode: 0 });
  });

  it('stands if the always fails for all on another controller', async () => {
    const ran = await run(`  strategy: linear
  tasks:
    - block: [${FAIL}]
      always: [{ name: clean, fail: , run_once: true }]
`);
    expect(ran.lines).to.deep.equal(['lb1 one: skipped', 'lb2 one: failed', 'lb1 clean: failed']);
    expect(ran.finished).to.include({ exitCode: 2 }).and.to.not.have.property('cutOff');
  });

  it('is cleared by clear_host_errors before the play ends', async () => {
    const ran = await run(`  tasks:
    - block: [${FAIL}]
      always: [meta: clear_host_errors, meta: end_host]
`);
    expect(by(ran, 'lb2')).to.deep.equal(['one: failed', 'next: ok']);
    expect(ran.finished).to.include({ exitCode: 0 });
  });
});

describe('the always of a block that has not begun', () => {
  const interrupted = (tasks: string, keywords = ''): Promise<Ran> => {
    const interrupt = new AbortController();
    return run(`${keywords}  tasks:\n${tasks}`, {
      drain: interrupt.signal,
      watch: (event) => {
        if (event.type === 'task-finished' && event.task === 'one') interrupt.abort();
      },
    });
  };
  const ALWAYS = 'always: [{ name: clean, debug: }]';

  it('does not run after an interrupt', async () => {
    const ran = await interrupted(`
    - { name: one, debug: }
    - { block: [{ block: [{ name: two, debug: }], ${ALWAYS} }], ${ALWAYS} }
`);
    expect(ran.lines).to.have.members(['lb1 one: ok', 'lb2 one: ok']);
    expect(ran.finished).to.deep.include({ exitCode: 130, cutOff: ['lb1', 'lb2'] });
  });

  it('does not run for the next item of a loop', async () => {
    const ran = await interrupted(`    - { block: [{ name: one, debug: }], ${ALWAYS}, loop: [1, 2] }\n`);
    expect(by(ran, 'lb1')).to.deep.equal(['one: ok', 'clean: ok']);
  });

  it('does not run if the first task was for all', async () => {
    for (const strategy of ['linear', 'host_pinned']) {
      const block = `{ block: [{ name: two, debug: , run_once: true }], ${ALWAYS} }`;
      const stopped = await interrupted(`    - { name: one, debug: }\n    - ${block}\n`, `  strategy: ${strategy}\n`);
      expect(stopped.lines, strategy).to.have.members(['lb1 one: ok', 'lb2 one: ok']);
    }
    const halted = await run(`  strategy: linear
  any_errors_fatal: true
  tasks:
    - { name: one, fail: , when: inventory_hostname == "lb2" }
    - { block: [{ name: two, debug: , run_once: true }], ${ALWAYS} }
`);
    expect(halted.lines).to.deep.equal(['lb1 one: skipped', 'lb2 one: failed']);
  });

  it('runs if a task of it has begun', async () => {
    const ran = await interrupted(`
    - block: [{ name: one, debug: }, { block: [{ name: two, debug: }], ${ALWAYS} }]
      always: [{ name: outer, debug: }]
`);
    expect(by(ran, 'lb1')).to.deep.equal(['one: ok', 'outer: ok']);
  });
});
