import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import type { AttemptEnd } from '../../../src/model/run/worker_transport.js';
import { serveLocal } from '../../../src/workers/local/local_worker.js';
import { LocalWorkers } from '../../../src/workers/local/local_workers.js';
import type { FromProcess, ToProcess } from '../../../src/workers/local/messages.js';

const SILENT = { taken: () => undefined, message: () => undefined, waiting: () => undefined };

/** A worker process that a test controls. */
class Puppet extends EventEmitter {
  connected = true;
  readonly heard: ToProcess[] = [];

  constructor(
    readonly pid: number | undefined,
    private readonly act: (puppet: Puppet, message: ToProcess) => void,
  ) {
    super();
  }

  send(message: ToProcess): void {
    this.heard.push(message);
    queueMicrotask(() => {
      this.act(this, message);
    });
  }

  say(message: FromProcess): void {
    this.emit('message', message);
  }

  kill(): void {
    this.end('SIGKILL');
  }

  end(signal: string): void {
    if (!this.connected) return;
    this.connected = false;
    setImmediate(() => this.emit('exit', null, signal));
  }
}

/** Reports that it is ready, and ends on request. */
function obliging(puppet: Puppet, message: ToProcess): void {
  if (message.type === 'run') puppet.say({ type: 'ready' });
  if (message.type === 'end') puppet.end('SIGTERM');
}

function failing(puppet: Puppet, message: ToProcess): void {
  if (message.type === 'run') puppet.say({ type: 'failed', problem: 'a file has changed' });
}

function walkOf(workers: LocalWorkers): Promise<AttemptEnd> {
  return workers.offer({ walk: '0-0-1-lb1', controller: 'lb1', text: () => 'order' }, SILENT).end;
}

async function problemOf(start: Promise<unknown>): Promise<string> {
  return start.then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? error.message : 'another'),
  );
}

describe('local workers', () => {
  it('do not start if one of them cannot load the run', async () => {
    const start = () => new Puppet(1, failing);
    expect(await problemOf(LocalWorkers.start({ count: 2, description: '', start }))).to.equal('a file has changed');
  });

  it('do not start if the system cannot create processes', async () => {
    const start = (): Puppet => {
      const puppet = new Puppet(undefined, () => undefined);
      puppet.connected = false;
      setImmediate(() => puppet.emit('error', new Error('spawn EAGAIN')));
      return puppet;
    };
    expect(await problemOf(LocalWorkers.start({ count: 1, description: '', start }))).to.equal(
      'a worker process ended before it was ready (spawn EAGAIN)',
    );
  });

  it('end a walk whose process is lost, and one whose next process cannot load the run', async () => {
    const processes: Puppet[] = [];
    const start = (): Puppet => {
      const puppet = new Puppet(processes.length + 1, processes.length === 0 ? obliging : failing);
      processes.push(puppet);
      return puppet;
    };
    const workers = await LocalWorkers.start({ count: 1, description: '', start });
    const first = walkOf(workers);
    processes[0]?.end('SIGKILL');
    expect(await first).to.deep.equal({ type: 'lost', worker: 'local 1 (process 1)', reason: 'SIGKILL' });
    expect((await walkOf(workers)).type).to.equal('lost');
    expect((await walkOf(workers)).type).to.equal('lost');
    expect(await walkOf(workers)).to.deep.equal({ type: 'untaken', reason: 'all worker processes have ended' });
    await workers.close();
  });

  it('are restarted as long as walks are completed', async () => {
    const processes: Puppet[] = [];
    const start = (): Puppet => {
      const puppet = new Puppet(processes.length + 1, (one, message) => {
        obliging(one, message);
        if (message.type === 'walk') one.say({ type: 'ended', walk: message.walk });
      });
      processes.push(puppet);
      return puppet;
    };
    const workers = await LocalWorkers.start({ count: 1, description: '', start });
    for (let times = 0; times < 5; times++) {
      expect(await walkOf(workers)).to.deep.equal({ type: 'ended' });
      const last = processes.at(-1);
      last?.end('SIGKILL');
      await new Promise((resolve) => last?.once('exit', resolve));
    }
    expect(processes.length).to.equal(6);
    await workers.close();
  });
});

describe('a local worker process', () => {
  function parentOf(): EventEmitter & { send(message: FromProcess): void; readonly sent: FromProcess[] } {
    const sent: FromProcess[] = [];
    return Object.assign(new EventEmitter(), { sent, send: (message: FromProcess) => void sent.push(message) });
  }

  it('receives messages for a walk before the walk listens', async () => {
    const parent = parentOf();
    const heard: string[] = [];
    const served = serveLocal(parent, () =>
      Promise.resolve({
        walk: ({ onMessage }) => {
          onMessage((text) => heard.push(text));
          return Promise.resolve();
        },
        onBroadcast: () => undefined,
        close: () => Promise.resolve(),
      }),
    );
    for (const message of [
      { type: 'run', description: '' },
      { type: 'walk', walk: 'one', text: 'order' },
      { type: 'text', walk: 'one', text: 'the batch has ended' },
    ])
      parent.emit('message', message);
    await new Promise(setImmediate);
    parent.emit('message', { type: 'end' });
    await served;
    expect(heard).to.deep.equal(['the batch has ended']);
    expect(parent.sent).to.deep.equal([{ type: 'ready' }, { type: 'ended', walk: 'one' }]);
  });

  it('ends even if it could not start the run', async () => {
    const parent = parentOf();
    const served = serveLocal(parent, () => Promise.reject(new Error('a file has changed')));
    for (const message of [{ type: 'run', description: '' }, { type: 'broadcast', text: 'stop' }, { type: 'end' }])
      parent.emit('message', message);
    await served;
    expect(parent.sent).to.deep.equal([{ type: 'failed', problem: 'a file has changed' }]);
  });
});
