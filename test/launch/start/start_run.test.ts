import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { runPlaybook, type Event } from '../../../src/index.js';
import { runRequest, type RunOptions } from '../../../src/launch/request/run_request.js';
import { startRun } from '../../../src/launch/start/start_run.js';
import { createPorts } from '../../../src/library/ports.js';
import type { Behaviour } from '../../../src/simulator/behaviour/behaviour.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';
import { lock, loading, WRITE } from '../lock/rig.js';

/** Returns another controller each time it is called. */
const NEXT = `import { defineFilter } from 'evenkeel';
let calls = 0;
export default defineFilter({ name: 'next_one', signature: 'names', run: (names) => names[calls++ % names.length] });
`;
const PLAYBOOK = `- hosts: "{{ next_one(['lb1', 'lb2', 'lb3', 'lb4']) }}"
  tasks: [{ debug: { msg: hello } }]
`;

describe('a run', () => {
  it('selects its controllers once: it changes only those that it checked and locked', () =>
    inFolder({ 'p.yml': PLAYBOOK, 'filters/next_one.mjs': NEXT }, async (cwd) => {
      const played: (readonly string[])[] = [];
      const onEvent = (event: Event): void => {
        if (event.type === 'play-started') played.push(event.controllers);
      };
      await runPlaybook({ playbooks: ['p.yml'], inventory: 'lb1,lb2,lb3,lb4', cwd, env: {}, state: false, onEvent });
      expect(played).to.deep.equal([['lb1']]);
    }));

  it('is interrupted if the answer to a question says so', () =>
    inFolder({ 'p.yml': '- { hosts: lb1, tasks: [{ pause: { seconds: 60 } }] }\n' }, async (cwd) => {
      const ports = createPorts({ name: 'runPlaybook', command: 'run' }, { cwd, env: {} }, () => undefined, {});
      const duringRun = (stop: () => void) => {
        stop();
        return {};
      };
      const request = runRequest({ type: 'run', playbooks: ['p.yml'] }, { inventory: ['lb1,'], state: false });
      const outcome = await startRun(request, { ...ports, user: { ...ports.user, duringRun } });
      expect(outcome.status === 'finished' && outcome.finished.status).to.equal('interrupted');
    }));

  it('asks for a password once, though it runs twice to verify that it is idempotent, and asks again the next time', () =>
    inFolder(
      { 'p.yml': '- { hosts: all, tasks: [{ debug: }] }\n', 'inv.yml': 'all: { hosts: { lb1: } }\n' },
      async (cwd) => {
        const asked: string[] = [];
        const ports = createPorts({ name: 'runPlaybook', command: 'run' }, { cwd, env: {} }, () => undefined, {});
        const askSecret = (question: string): Promise<string> => Promise.resolve(`password ${asked.push(question)}`);
        const user = { ...ports.user, askSecret };
        const options = { inventory: ['inv.yml'], state: false, askPass: true, verifyIdempotent: true };
        for (const times of [1, 2]) {
          const outcome = await startRun(runRequest({ type: 'run', playbooks: ['p.yml'] }, options), {
            ...ports,
            user,
          });
          expect(outcome.status === 'finished' && outcome.idempotence).to.deep.equal({ status: 'verified' });
          expect(asked).to.deep.equal(Array.from({ length: times }, () => 'Controller password: '));
        }
      },
    ));

  it('warns at each Ctrl-C what it does and what the next one would do, until its end', () =>
    inFolder({ 'other.yml': '{}\n' }, async (cwd) => {
      const terminal = { takeOver: () => undefined };
      const warnings = async (
        tasks: string,
        options: RunOptions,
        caller: object = terminal,
        env: Readonly<Record<string, string>> = {},
      ): Promise<readonly string[]> => {
        await writeFile(path.join(cwd, 'p.yml'), `- { hosts: lb1, tasks: [${tasks}] }\n`);
        const [drain, abort] = [new AbortController(), new AbortController()];
        const said: string[] = [];
        const onEvent = (event: Event): void => {
          if (event.type === 'task-started') drain.abort();
          if (event.type !== 'warning') return;
          said.push(event.message.replace(event.run, 'RUN'));
          abort.abort();
        };
        const program = { name: 'runPlaybook', command: 'run' };
        const ports = createPorts(program, { cwd, env, onEvent }, () => undefined, {});
        const request = runRequest({ type: 'run', playbooks: ['p.yml'] }, { inventory: ['lb1,'], ...options });
        const signals = { ...ports.signals, ...caller, drain: drain.signal, abort: abort.signal };
        await startRun(request, { ...ports, signals });
        drain.abort();
        abort.abort();
        return said;
      };
      const first = 'interrupted: finishing running writes, starting nothing new (Ctrl-C again to abort them)';
      expect(await warnings('pause: { seconds: 60 }', {})).to.deep.equal([
        first,
        'interrupted again: aborting running requests; a resume finds out whether their writes took effect (Ctrl-C again to exit at once; then continue with: evenkeel resume RUN)',
      ]);
      expect(await warnings('pause: { seconds: 60 }', { check: true })).to.deep.equal([
        first,
        'interrupted again: aborting running requests (Ctrl-C again to exit at once)',
      ]);
      expect(await warnings('', {})).to.deep.equal([]);
      const [ofProgram, named] = await warnings('pause: { seconds: 60 }', {}, {}, { EVENKEEL_CONFIG: 'other.yml' });
      expect(ofProgram).to.equal('interrupted: finishing running writes, starting nothing new');
      expect(named).to.match(/; then continue with: evenkeel resume RUN --config other\.yml\)$/);
    }));
});

describe('a run of controllers', () => {
  let fleet: Fleet;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 4 });
  });
  afterEach(() => fleet.dispose());

  /** The tasks of a play on all of them; what is shown of a run, and how many locks it leaves. */
  const played = (
    tasks: string,
    behaviour: Behaviour = {},
    { locks, files }: { locks?: string; files?: Files } = {},
  ) => {
    const site = `- { hosts: all, tasks: [${tasks}] }\n`;
    return inFolder({ 'p.yml': site, 'inv.yml': fleet.inventory, ...files }, async (cwd) => {
      for (const name of fleet.names) fleet.controller(name).behaviour = behaviour;
      const events: Event[] = [];
      const onEvent = (event: Event): void => void events.push(event);
      const folder = locks ?? path.join(cwd, 'locks');
      const env = { EVENKEEL_LOCK_DIR: folder };
      await runPlaybook({ playbooks: ['p.yml'], inventory: 'inv.yml', cwd, env, forks: 1, onEvent });
      return {
        results: events.flatMap((one) => (one.type === 'task-finished' ? [`${one.controller} ${one.status}`] : [])),
        messages: events.flatMap((one) => (one.type === 'task-finished' ? [one.message ?? ''] : [])),
        warnings: events.flatMap((one) => (one.type === 'warning' ? [one.message] : [])),
        left: (await readdir(folder).catch(() => [])).length,
      };
    });
  };

  it('starts nothing new once three of them in a row refused the credentials', async () => {
    const { results, warnings } = await played('ping: ', { faults: [{ type: 'answer', status: 401 }] });
    expect(results).to.deep.equal(['lb1 unreachable', 'lb2 unreachable', 'lb3 unreachable']);
    expect(warnings).to.deep.equal([
      '3 controllers in a row refused the credentials of user "admin" (lb1, lb2, lb3): nothing new starts',
    ]);
  });

  it('keeps its locks if a write may take effect after its end', async () => {
    const post = 'api_request: { method: POST, path: /api/x }';
    expect((await played(post)).left).to.equal(0);
    const { results, left } = await played(post, { faults: [{ type: 'drop', when: { method: 'POST' } }] });
    expect(results).to.deep.equal(fleet.names.map((name) => `${name} unreachable`));
    expect(left).to.equal(1);
  });

  it('writes to none that another run has, but to the others', () =>
    loading(`- { hosts: 'lb1,lb3', ${WRITE} }\n`, fleet.inventory, async ({ cwd, run }) => {
      const locks = path.join(cwd, 'locks');
      expect(await lock(locks, run, 'r1')).to.include({ status: 'granted' });
      const send = `export default {
  type: 'action', name: 'send', summary: '', examples: [], check: true, args: { type: 'object', properties: {} },
  run: async (_args, context) => {
    await context.request({ method: 'PUT', path: '/api/systemconfiguration', body: {} });
    return { status: 'changed' };
  },
};
`;
      const { results, messages } = await played('send: ', {}, { locks, files: { 'modules/send.mjs': send } });
      expect(results).to.deep.equal(['lb1 failed', 'lb2 changed', 'lb3 failed', 'lb4 changed']);
      expect(messages[0]).to.include('run r1 holds the lock on ');
    }));
});
