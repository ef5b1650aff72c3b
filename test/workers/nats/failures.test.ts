import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Assignment } from '../../../src/model/run/worker_transport.js';
import { connectToNats } from '../../../src/workers/nats/broker/connection.js';
import { Link } from '../../../src/workers/nats/broker/link.js';
import { EVENTS, JOBS, openStorage, ORDERS, subjects } from '../../../src/workers/nats/broker/storage.js';
import { openNatsWorker } from '../../../src/workers/nats/worker.js';
import { CuttableLink, NATS_SERVER, sayWithoutNats } from '../../rig/nats.js';
import { LEASE_MS, Log, NatsScene, Offered } from '../../rig/nats_workers.js';

interface WorkerProcess {
  readonly child: ChildProcess;
  readonly lines: Log<string>;
}

const WORKER = fileURLToPath(import.meta.resolve('./worker_process.ts'));

describe('failures of workers over NATS', () => {
  let scene: NatsScene;
  const ends: (() => unknown)[] = [];

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('failures of workers over NATS');
      this.skip();
    }
    scene = await NatsScene.start();
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await scene.end();
  });
  after(() => scene.dispose());

  async function workerProcess(options: { url?: string; stateFolder?: string } = {}): Promise<WorkerProcess> {
    const given = {
      // Longer than a test: a connection that is held back must not count as lost.
      nats: { url: options.url ?? scene.broker.url, pingInterval: 60_000 },
      site: 'berlin',
      name: 'victim',
      version: '1',
      concurrency: 1,
      stateFolder: options.stateFolder ?? (await scene.folder()),
      leaseMs: LEASE_MS,
    };
    const child = spawn(process.execPath, ['--import', 'tsx', WORKER, JSON.stringify(given)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    ends.push(() => child.kill('SIGKILL'));
    const lines = new Log<string>();
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      const whole = text.split('\n');
      text = whole.pop() ?? '';
      for (const line of whole) lines.add(line);
    });
    await lines.first((line) => line === 'ready');
    return { child, lines };
  }

  async function link(): Promise<CuttableLink> {
    const made = await CuttableLink.to(scene.broker);
    ends.push(() => made.close());
    return made;
  }

  const finish = (assignment: Assignment) => assignment.postDurably('done by another');

  it('ends the walk of a killed worker as lost, and gives the next attempt to another', async () => {
    const coordinator = await scene.coordinator();
    const { child } = await workerProcess();
    const first = new Offered(coordinator, 'lb1');
    await first.heard.first((text) => text === 'begun');
    child.kill('SIGKILL');
    await scene.worker(finish, { name: 'w2' });
    const end = await first.end;
    expect(end).to.deep.equal({ type: 'lost', worker: 'victim', reason: 'no sign of life for 1.5 s' });
    expect(first.heard.items.slice(-2)).to.deep.equal(['taken by victim', 'begun']);
    const second = new Offered(coordinator, 'lb1');
    expect(await second.end).to.deep.equal({ type: 'ended' });
    expect(second.heard.items).to.deep.equal(['taken by w2', 'done by another']);
  });

  it('gives walks of a worker that cannot start the run to another, with one message', async () => {
    const coordinator = await scene.coordinator();
    const given = { concurrency: 3, mayBegin: () => false };
    await scene.worker(() => Promise.resolve(), { ...given, name: 'full' });
    const first = new Offered(coordinator, 'lb1');
    expect(await first.end).to.deep.equal({ type: 'refused', worker: 'full', reason: 'the disk is full' });
    const alone = new Offered(coordinator, 'lb1');
    const refusal = 'worker berlin/full cannot carry out the run: the disk is full';
    const reason = `no worker of site berlin can be used: ${refusal}`;
    expect(await alone.end).to.deep.equal({ type: 'untaken', reason });
    await scene.worker(finish, { name: 'w2' });
    // Until the coordinator has seen it.
    let next = new Offered(coordinator, 'lb1');
    while ((await next.end).type === 'untaken') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      next = new Offered(coordinator, 'lb1');
    }
    expect(next.heard.items).to.deep.equal(['taken by w2', 'done by another']);
    expect(scene.log.items.filter((line) => line === `coordinator: ${refusal}`)).to.have.lengthOf(1);
  });

  it('gives walks of a hung worker to another', async () => {
    const coordinator = await scene.coordinator();
    const reason = 'it was replaced';
    let isReplaced = false;
    await scene.worker(finish, { whyUnfit: () => (isReplaced ? reason : undefined) });
    expect(await new Offered(coordinator, 'lb1').end).to.deep.equal({ type: 'ended' });
    isReplaced = true;
    const refused = new Offered(coordinator, 'lb2');
    expect(await refused.end).to.deep.equal({ type: 'refused', worker: 'w1', reason });
    expect(refused.heard.items.at(-1)).to.equal('taken by w1');
  });

  it('lets its coordinator end without a broker, at once after a second interrupt', async () => {
    for (const times of [1, 2]) {
      const coordinator = await scene.coordinator();
      let isOut: () => void = () => undefined;
      const out = new Promise<void>((resolve) => (isOut = resolve));
      await scene.worker(async (assignment) => {
        await assignment.postDurably('begun');
        await out;
      });
      const offered = new Offered(coordinator, 'lb1');
      await offered.heard.first((text) => text === 'begun');
      await scene.broker.stop();
      await scene.log.first((line) => line.startsWith('coordinator: lost the connection'));
      for (let count = 0; count < times; count++) offered.cancel();
      expect(await offered.end).to.deep.equal({
        ...{ type: 'lost', worker: 'w1', reason: 'the NATS server cannot be reached' },
      });
      isOut();
      await scene.broker.start();
      await scene.end();
    }
  });

  it('ends without a broker after a signal, and keeps unsent reports', async () => {
    const coordinator = await scene.coordinator();
    const stateFolder = await scene.folder();
    let isOut: () => void = () => undefined;
    const out = new Promise<void>((resolve) => (isOut = resolve));
    const end = await scene.worker(
      async (assignment) => {
        await assignment.postDurably('begun');
        await out;
        assignment.post('kept on disk');
      },
      { stateFolder },
    );
    const offered = new Offered(coordinator, 'lb1');
    await offered.heard.first((text) => text === 'begun');
    await scene.broker.stop();
    isOut();
    await end();
    const said = scene.log.items.find((line) => line.includes('ends with 1 controller at work'));
    expect(said).to.include(path.join(stateFolder, 'outbox'));
    await scene.broker.start();
    await scene.worker(() => Promise.resolve(), { stateFolder, name: 'next' });
    expect(await offered.end).to.deep.equal({ type: 'ended' });
    expect(offered.heard.items.slice(-2)).to.deep.equal(['begun', 'kept on disk']);
  });

  it('ends at once after a second signal', async () => {
    const coordinator = await scene.coordinator();
    const abort = new AbortController();
    const end = await scene.worker(
      async (assignment) => {
        await assignment.postDurably('begun');
        await new Promise(() => undefined);
      },
      { abort: abort.signal },
    );
    await new Offered(coordinator, 'lb1').heard.first((text) => text === 'begun');
    abort.abort();
    await end();
    expect(scene.log.items.some((line) => line.includes('ends with 1 controller at work'))).to.equal(true);
  });

  it('ends after a signal while it waits for a coordinator to create the streams', async () => {
    const deny = 'permissions: { publish: { deny: "$JS.API.STREAM.CREATE.>" } }';
    const other = await NatsScene.start(
      `jetstream: enabled\nauthorization { users = [ { user: u, password: p, ${deny} } ] }`,
    );
    ends.push(() => other.dispose());
    const stop = new AbortController();
    const worker = openNatsWorker({
      ...{ site: 'berlin', name: 'w1', version: '1', concurrency: 1, leaseMs: LEASE_MS, signal: stop.signal },
      nats: { url: other.broker.url.replace('//', '//u:p@') },
      stateFolder: await other.folder(),
      report: (line) => {
        if (line.includes('waiting for a coordinator'))
          void other.broker.stop().then(() => {
            stop.abort();
          });
      },
    });
    const error = await worker.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(String(error)).to.include('cannot create the stream');
    expect(stop.signal.aborted).to.equal(true);
  });

  it('ends after a signal although the broker has lost its data', async () => {
    const other = await NatsScene.start();
    ends.push(() => other.dispose());
    const coordinator = await other.coordinator();
    const end = await other.worker(async (assignment) => {
      await assignment.postDurably('begun');
      await new Promise((resolve) => {
        assignment.revoked.addEventListener('abort', resolve);
      });
    });
    await new Offered(coordinator, 'lb1').heard.first((text) => text === 'begun');
    await other.broker.stop();
    await rm(path.join(other.broker.folder, 'data'), { recursive: true });
    await other.broker.start();
    await end();
    await other.end();
  });

  it('waits for streams that do not answer, however long that takes', async () => {
    // Connections stay, as those to other servers of a cluster.
    const given = { leaseMs: 300, nats: { url: scene.broker.url, pingInterval: 60_000 } };
    const coordinator = await scene.coordinator(given);
    let goOn: () => void = () => undefined;
    const back = new Promise<void>((resolve) => (goOn = resolve));
    await scene.worker(async (assignment) => {
      await assignment.postDurably('begun');
      await back;
      await assignment.postDurably('there again');
    }, given);
    const offered = new Offered(coordinator, 'lb1');
    await offered.heard.first((text) => text === 'begun');
    scene.broker.suspend();
    // Until questions have failed for longer than a coordinator may be away.
    await new Promise((resolve) => setTimeout(resolve, 7000));
    scene.broker.resume();
    goOn();
    expect(await offered.end).to.deep.equal({ type: 'ended' });
    expect(offered.heard.items.slice(-3)).to.deep.equal(['taken by w1', 'begun', 'there again']);
  });

  it('refuses a write of a worker that was stopped before its intent was confirmed', async () => {
    const coordinator = await scene.coordinator();
    const proxy = await link();
    const { child, lines } = await workerProcess({ url: proxy.url });
    const offered = new Offered(coordinator, 'lb1');
    await lines.first((line) => line === 'begun');
    proxy.hold();
    child.kill('SIGUSR2');
    await offered.heard.first((text) => text === 'intent');
    child.kill('SIGSTOP');
    // The confirmation waits in the socket.
    proxy.mend();
    expect(await offered.end).to.include({ type: 'lost', worker: 'victim' });
    child.kill('SIGCONT');
    await lines.first((line) => line.startsWith('refused') || line === 'accepted');
    expect(lines.items.at(-1)).to.match(/^refused: Error: .*the walk was given to another worker/);
    expect(offered.heard.items.slice(-2)).to.deep.equal(['begun', 'intent']);
  });

  it('neither loses nor duplicates anything when the broker is restarted', async () => {
    const coordinator = await scene.coordinator();
    const numbers = Array.from({ length: 300 }, (_, index) => `event ${index}`);
    await scene.worker(async (assignment) => {
      for (const [index, text] of numbers.entries())
        if (index % 10 === 0) await assignment.postDurably(text);
        else assignment.post(text);
      await new Promise<void>((resolve) => {
        assignment.onMessage((text) => {
          assignment.post(text);
          resolve();
        });
      });
    });
    const offered = new Offered(coordinator, 'lb1');
    await offered.heard.first((text) => text === 'event 100');
    await scene.broker.stop();
    offered.send('sent without a broker');
    await scene.broker.start();
    expect(await offered.end).to.deep.equal({ type: 'ended' });
    expect(offered.heard.items.filter((text) => !text.startsWith('waiting'))).to.deep.equal([
      'taken by w1',
      ...numbers,
      'sent without a broker',
    ]);
  });

  it('keeps sealed messages on disk while the link is cut, and delivers them', async () => {
    const coordinator = await scene.coordinator();
    const proxy = await link();
    const stateFolder = await scene.folder();
    const begun = new Log<Assignment>();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const stop = await scene.worker(
      async (assignment) => {
        begun.add(assignment);
        await released;
      },
      { nats: { url: proxy.url }, stateFolder },
    );
    const offered = new Offered(coordinator, 'lb1');
    const [assignment] = await begun.until(({ length }) => length === 1);
    proxy.cut();
    await scene.log.first((line) => line.includes('lost the connection'));
    for (let index = 0; index < 3; index += 1) {
      assignment?.post(`kept ${index}`);
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    }
    const [name = ''] = await readdir(path.join(stateFolder, 'outbox'));
    const file = path.join(stateFolder, 'outbox', name);
    expect(await readFile(file, 'utf8'))
      .to.match(/^\{"subject":"evenkeel\.events\.run-\d+\.berlin\..*/)
      .and.not.include('kept');
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    proxy.mend();
    await offered.heard.first((text) => text === 'kept 2');
    release();
    expect(await offered.end).to.deep.equal({ type: 'ended' });
    expect(offered.heard.items.slice(-3)).to.deep.equal(['kept 0', 'kept 1', 'kept 2']);
    await stop();
    expect(await readdir(path.join(stateFolder, 'outbox'))).to.deep.equal([]);
  });

  it('abandons a walk when the link is cut for longer than the lease, and takes the next', async () => {
    const coordinator = await scene.coordinator();
    const proxy = await link();
    const results = new Log<string>();
    await scene.worker(
      async (assignment) => {
        await assignment.postDurably('begun');
        results.add('begun');
        if (assignment.text === 'do lb2') return;
        await scene.log.first((line) => line.includes('lost the connection'));
        await assignment.postDurably('intent').then(
          () => {
            results.add('accepted');
          },
          (error: unknown) => {
            results.add(String(error));
          },
        );
      },
      { nats: { url: proxy.url } },
    );
    const first = new Offered(coordinator, 'lb1');
    await results.first((text) => text === 'begun');
    proxy.cut();
    expect(await first.end).to.include({ type: 'lost', worker: 'w1' });
    const second = new Offered(coordinator, 'lb2');
    proxy.mend();
    expect(await second.end).to.deep.equal({ type: 'ended' });
    const refusal = 'Error: the walk was given to another worker, or its run is over';
    expect(results.items).to.deep.equal(['begun', refusal, 'begun']);
    expect(first.heard.items.at(-1)).to.equal('begun');
  });

  for (const isInTime of [true, false])
    it(`${isInTime ? 'delivers' : 'drops'} what a killed worker kept ${isInTime ? 'in time' : 'too late'}`, async () => {
      const coordinator = await scene.coordinator({ leaseMs: isInTime ? 20_000 : LEASE_MS });
      const proxy = await link();
      const stateFolder = await scene.folder();
      const { child, lines } = await workerProcess({ url: proxy.url, stateFolder });
      const offered = new Offered(coordinator, 'lb1');
      await lines.first((line) => line === 'begun');
      proxy.cut();
      await lines.first((line) => line === 'kept');
      child.kill('SIGKILL');
      if (!isInTime) expect(await offered.end).to.include({ type: 'lost' });
      await scene.worker(finish, { stateFolder });
      const report = await scene.log.first((line) => /(?:delivered|dropped)/.test(line));
      expect(report.at(-1)).to.match(
        isInTime
          ? /^w1: delivered 1 messages that a worker kept in .*outbox$/
          : /^w1: dropped what a worker kept in .*\.outbox: its walk was given to another worker, or its run is over$/,
      );
      if (isInTime) await offered.heard.first((text) => text === 'late');
      else expect(offered.heard.items.at(-1)).to.equal('begun');
    });

  it('ends walks of an earlier coordinator of the run', async () => {
    const earlier = await scene.coordinator({ run: 'again' });
    const begun = new Log<Assignment>();
    await scene.worker(async (assignment) => {
      begun.add(assignment);
      await assignment.postDurably('begun');
      if (begun.items.length === 1)
        await new Promise<void>((resolve) => {
          assignment.revoked.addEventListener('abort', () => {
            resolve();
          });
        });
    });
    const first = new Offered(earlier, 'lb1');
    await first.heard.first((text) => text === 'begun');
    const later = await scene.coordinator({ run: 'again', describe: () => 'other' });
    expect(await first.end).to.deep.equal({
      type: 'lost',
      worker: 'w1',
      reason: 'another coordinator has taken over the run',
    });
    const [assignment] = begun.items;
    const refusal = await assignment?.postDurably('intent').catch(String);
    expect(refusal).to.equal('Error: the walk was given to another worker, or its run is over');
    expect(await new Offered(later, 'lb1').end).to.deep.equal({ type: 'ended' });
    expect(scene.log.items.filter((line) => !line.startsWith('coordinator'))).to.deep.equal([
      'w1: begin again the description',
      'w1: end again',
      'w1: begin again other',
    ]);
  });

  it('ends walks of an earlier coordinator although those of the next one have all places', async () => {
    const earlier = await scene.coordinator({ run: 'again' });
    let walks = 0;
    await scene.worker(async (assignment) => {
      walks += 1;
      await assignment.postDurably('begun');
      if (walks > 1) return;
      // As a walk that waits for the others of its batch.
      assignment.place?.giveBack();
      await new Promise<void>((resolve) => {
        assignment.revoked.addEventListener('abort', () => {
          resolve();
        });
      });
      await new Promise<void>((resolve) => {
        assignment.place?.takeAgain(resolve);
      });
    });
    const first = new Offered(earlier, 'lb1');
    await first.heard.first((text) => text === 'begun');
    const later = await scene.coordinator({ run: 'again' });
    expect(await first.end).to.include({ type: 'lost' });
    expect(await new Offered(later, 'lb1').end).to.deep.equal({ type: 'ended' });
  });

  // What nats-server does when it is killed soon after the last message of a stream was deleted.
  for (const stream of [JOBS, EVENTS, ORDERS])
    it(`continues when the broker has lost its position in ${stream}`, async () => {
      const coordinator = await scene.coordinator();
      const worker = await scene.worker(finish);
      for (const walk of ['lb1', 'lb2', 'lb3'])
        expect(await new Offered(coordinator, walk).end).to.deep.equal({ type: 'ended' });
      await scene.broker.restartWithout(stream);
      expect(await new Offered(coordinator, 'lb4').end).to.deep.equal({ type: 'ended' });
      await scene.broker.restartWithout(stream);
      await worker();
      await coordinator.close();
      await scene.worker(finish);
      expect(await new Offered(await scene.coordinator(), 'lb1').end).to.deep.equal({ type: 'ended' });
    });

  it('continues when the broker waits for the acknowledgement of a deleted job', async () => {
    const worker = await scene.worker(finish);
    expect(await new Offered(await scene.coordinator(), 'lb1').end).to.deep.equal({ type: 'ended' });
    await worker();
    const link = new Link(await connectToNats({ url: scene.broker.url }, 'a test'), () => undefined);
    const { js } = await openStorage(link);
    // The server corrects this when the first job of all sites is a later one.
    await js.publish(subjects.jobs('madrid'), '{}');
    await js.publish(subjects.jobs('berlin'), '{}');
    const queue = await js.consumers.get(JOBS, 'berlin');
    await queue.next();
    await scene.broker.forgetting(JOBS, async () => (await queue.next())?.ackAck());
    await link.close();
    await scene.worker(finish);
    expect(await new Offered(await scene.coordinator(), 'lb2').end).to.deep.equal({ type: 'ended' });
  });

  it('continues when a coordinator was lost between deleting a queue and creating it again', async () => {
    await scene.worker(finish);
    const link = new Link(await connectToNats({ url: scene.broker.url }, 'a test'), () => undefined);
    await (await openStorage(link)).manager.consumers.delete(JOBS, 'berlin');
    await link.close();
    expect(await new Offered(await scene.coordinator(), 'lb1').end).to.deep.equal({ type: 'ended' });
  });
});
