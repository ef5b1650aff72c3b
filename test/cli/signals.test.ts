import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { CALLS } from '../core/secrets/planted/commands.js';
import { emptyProject, ownHome, type Project, STARTED } from '../rig/command.js';
import { finishedOf } from '../rig/events_of.js';

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** Computes for ever as soon as the command handles signals. */
const BUSY = `import { writeSync } from 'node:fs';
process.on('newListener', (event) => {
  if (event === 'SIGHUP') queueMicrotask(() => { writeSync(2, 'busy'); for (;;); });
});`;

const INVENTORY = `all:
  vars:
    controller_url: https://{{inventory_hostname}}
    controller_api_version: 22.1.3
    controller_simulation: { faults: [{ type: latency, when: { method: POST }, milliseconds: 700 }] }
  hosts: { lb1: }
`;
const HELPER = `import { writeSync } from 'node:fs';
import { defineFilter } from 'evenkeel';
export default defineFilter({ name: 'spin', signature: '', run: () => { writeSync(2, 'busy'); for (;;); } });
`;
/** It ignores that the run ends. */
const MODULE = `import { defineAction, Type } from 'evenkeel';
export default defineAction({
  name: 'stays',
  summary: 'stays',
  args: Type.Object({}),
  examples: [],
  check: false,
  run: () => new Promise(() => { process.stderr.write('busy'); setInterval(() => undefined, 1000); }),
});
`;
/** Computes for ever: at once, after the first pause, or in pauses that do not let anything else run. */
const ENDLESS = `import { defineAction, Type } from 'evenkeel';
export default defineAction({
  name: 'endless',
  summary: 'computes',
  args: Type.Object({ pauses: Type.String() }),
  examples: [],
  check: false,
  run: async ({ pauses }) => {
    if (pauses === 'one') await new Promise((resolve) => setTimeout(resolve, 1));
    for (;;) if (pauses === 'many') await undefined;
  },
});
`;
/** Long enough that it is seen to compute without a pause. */
const LONG = `import { defineAction, Type } from 'evenkeel';
export default defineAction({
  name: 'long',
  summary: 'computes',
  args: Type.Object({}),
  examples: [],
  check: false,
  run: async () => { for (const since = Date.now(); Date.now() - since < 5500; ); return { status: 'ok' }; },
});
`;
const FILES = {
  'inv.yml': INVENTORY,
  'spin.yml': `- hosts: all\n  tasks:\n    - debug: { msg: '{{ spin() }}' }\n`,
  'filters/spin.ts': HELPER,
  'stays.yml': `- hosts: all\n  tasks:\n    - stays: {}\n`,
  'modules/stays.ts': MODULE,
  'modules/endless.ts': ENDLESS,
  'modules/long.ts': LONG,
  'long.yml': `- hosts: all\n  tasks:\n    - long: {}\n    - cloud_present: { name: late }\n`,
  'endless.yml': `- hosts: all\n  tasks:\n    - endless: { pauses: '{{ pauses }}' }\n`,
  'write.yml': `- hosts: all\n  tasks:\n    - cloud_present: { name: edge }\n    - cloud_present: { name: second }\n`,
};
const RUN = ['-i', 'inv.yml', '--simulate', '-o', 'json', '-vvv'];

describe('SIGINT and SIGTERM', () => {
  let project: Project;
  let children: ChildProcess[] = [];
  before(async () => {
    project = await emptyProject(FILES);
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children = [];
  });
  after(() => project.remove());

  function start(args: readonly string[], before: readonly string[] = []): Started {
    const child = spawn(process.execPath, [...before, ...STARTED, ...args], {
      cwd: project.directory,
      env: { ...ownHome(project.directory), NO_COLOR: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    children.push(child);
    return new Started(child);
  }

  for (const [name, calls] of Object.entries(CALLS)) {
    const [call] = calls.flat();
    it(`end ${name} while it computes`, async () => {
      const started = SIGNALS.map(([signal, code]) => {
        const preload = `data:text/javascript,${encodeURIComponent(BUSY)}`;
        return { signal, code, command: start(call?.args ?? [], ['--import', preload]) };
      });
      for (const { signal, code, command } of started) {
        await command.prints('busy');
        command.child.kill(signal);
        expect(await command.ended).to.equal(code);
      }
    }).timeout(20_000);
  }

  for (const [signal, code] of SIGNALS) {
    for (const command of ['run', 'plan', 'render'])
      it(`end a helper of ${command} that never returns (${signal})`, async () => {
        const spinning = start([command, 'spin.yml', '-i', 'inv.yml', ...(command === 'render' ? [] : ['--simulate'])]);
        await spinning.prints('busy');
        spinning.child.kill(signal);
        expect(await spinning.ended).to.equal(code);
      });

    for (const pauses of ['no', 'one', 'many'])
      it(`end code of the project that computes for ever, with ${pauses} pauses (${signal})`, async () => {
        const run = start(['run', 'endless.yml', '-e', `pauses=${pauses}`, ...RUN]);
        await run.prints('computes without a pause; Ctrl-C now ends the process at once');
        run.child.kill(signal);
        expect(await run.ended).to.equal(code);
      });

    it(`end a task that never returns, the second time (${signal})`, async () => {
      const run = start(['run', 'stays.yml', ...RUN]);
      await run.prints('busy');
      run.child.kill(signal);
      await run.prints('interrupted: finishing');
      // Sooner, it would be the same signal.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const since = performance.now();
      run.child.kill(signal);
      expect(await run.ended).to.equal(code);
      expect(performance.now() - since).to.be.below(5000);
    }).timeout(20_000);
  }

  it('let a run finish after code that computed for long, also if nobody reads what is said about it', async () => {
    const run = start(['run', 'long.yml', ...RUN]);
    run.child.stderr?.destroy();
    await run.prints('"task":"cloud_present"');
    run.child.kill('SIGTERM');
    expect(await run.ended).to.equal(143);
    expect(finishedOf(run.printed).stats).to.have.property('lb1');
  }).timeout(30_000);

  it('count as one if the process gets SIGTERM, and then its group', async () => {
    const run = start(['run', 'write.yml', ...RUN]);
    await run.prints('"request-finished"');
    run.child.kill('SIGTERM');
    run.child.kill('SIGTERM');
    expect(await run.ended).to.equal(143);
    expect(finishedOf(run.printed).stats['lb1']).to.include({ ok: 1, changed: 1 });
  });
});

class Started {
  printed = '';
  /** The exit code, as a shell sees it. */
  readonly ended: Promise<number>;

  constructor(readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => (this.printed += String(text)));
    this.ended = new Promise((resolve) => {
      child.on('close', (code, by) => {
        resolve(by === 'SIGINT' ? 130 : by === 'SIGTERM' ? 143 : (code ?? -1));
      });
    });
  }

  /** @throws Error if it ends before */
  async prints(text: string): Promise<void> {
    const ended = this.ended.then((code) => {
      throw new Error(`ended with ${code}: ${this.printed}`);
    });
    ended.catch(() => undefined);
    const streams = [this.child.stdout, this.child.stderr].flatMap((stream) => stream ?? []);
    while (!this.printed.includes(text)) await Promise.race([ended, ...streams.map((stream) => once(stream, 'data'))]);
  }
}
