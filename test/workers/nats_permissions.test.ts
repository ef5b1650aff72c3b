import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { openNatsCoordinator } from '../../src/workers/nats/coordinator.js';
import type { NatsOptions } from '../../src/workers/nats/broker/connection.js';
import { Link } from '../../src/workers/nats/broker/link.js';
import { openBuckets, openStorage } from '../../src/workers/nats/broker/storage.js';
import { JobQueue } from '../../src/workers/nats/work/job_queue.js';
import { openNatsWorker } from '../../src/workers/nats/worker.js';
import type { CoordinatorTransport, WorkerTransport } from '../../src/model/run/worker_transport.js';
import { NATS_SERVER, sayWithoutNats } from '../rig/nats.js';
import { serverCertificate } from '../rig/certificates.js';
import { ROOT } from '../rig/command.js';
import { inFolder } from '../rig/folder.js';

const EXAMPLES = path.join(ROOT, 'docs/examples');
const USERS = ['coordinator', 'madrid', 'paris'] as const;
type User = (typeof USERS)[number];

interface Site {
  /** The configuration of docs/examples, with passwords `NAME-password`. */
  readonly port: number;
  readonly caFile: string;
  readonly as: (user: User) => Promise<NatsConnection>;
  readonly errors: () => readonly string[];
  readonly firstError: Promise<string>;
}

/** Starts the server with the configuration of docs/examples. */
async function withExample(use: (site: Site) => Promise<void>): Promise<void> {
  const { ca, cert, key } = await serverCertificate();
  await inFolder({ 'tls/broker.pem': cert, 'tls/broker.key': key, 'ca.pem': ca }, async (folder) => {
    for (const name of ['nats-server.conf', 'evenkeel-users.conf'])
      await writeFile(path.join(folder, name), await readFile(path.join(EXAMPLES, name)));
    const env = Object.fromEntries(
      USERS.map((user) => [`EVENKEEL_${user.toUpperCase()}_PASSWORD`, `${user}-password`]),
    );
    const server = await startServer(folder, 'nats-server.conf', env);
    const open: NatsConnection[] = [];
    const as = async (user: User): Promise<NatsConnection> => {
      const inbox = user === 'coordinator' ? {} : { inboxPrefix: `_INBOX_${user}` };
      const made = await connect({
        servers: `localhost:${server.port}`,
        user,
        pass: `${user}-password`,
        tls: { ca },
        ...inbox,
      });
      open.push(made);
      return made;
    };
    try {
      await use({ ...server, caFile: path.join(folder, 'ca.pem'), as });
    } finally {
      for (const one of open) await one.close();
      await server.stop();
    }
  });
}

interface Server {
  /** On the loopback. */
  readonly port: number;
  /** What the server has logged as an error: requests that it refused. */
  readonly errors: () => readonly string[];
  /** The first of these. */
  readonly firstError: Promise<string>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a server in a folder with a configuration as it is there, but on a free port of the loopback.
 *
 * @param env for the variables of the configuration
 */
async function startServer(folder: string, config: string, env: Readonly<Record<string, string>>): Promise<Server> {
  const args = ['-c', config, '-a', '127.0.0.1', '-p', '-1', '--ports_file_dir', folder];
  const server = spawn(NATS_SERVER ?? '', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  const errorsIn = (text: string): readonly string[] => text.split('\n').filter((line) => line.includes('[ERR]'));
  const firstError = new Promise<string>((resolve) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      for (const line of errorsIn(log)) resolve(line);
    });
  });
  const ended = once(server, 'exit');
  for (let port = portIn(folder); ; port = portIn(folder)) {
    if (server.exitCode !== null) throw new Error(`nats-server did not start: ${log}`);
    if (port === undefined) await sleep(20);
    else return { port, errors: () => errorsIn(log), firstError, stop };
  }

  async function stop(): Promise<void> {
    server.kill();
    await ended;
  }
}

/** The server writes the file when it listens. */
function portIn(folder: string): number | undefined {
  const name = readdirSync(folder).find((one) => one.endsWith('.ports'));
  const text = name === undefined ? '' : readFileSync(path.join(folder, name), 'utf8');
  const found = /:(\d+)"/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** What happens to a request. */
async function asked(connection: NatsConnection, subject: string, body: unknown = {}): Promise<string> {
  try {
    const answer = await connection.request(subject, JSON.stringify(body), { timeout: 2000 });
    const { error } = answer.json<{ readonly error?: { readonly description: string } }>();
    return error === undefined ? 'answered' : error.description;
  } catch (error) {
    return isDenied(error) ? 'denied' : error instanceof errors.RequestError ? 'nobody listens' : String(error);
  }
}

function isDenied(error: unknown): boolean {
  if (error instanceof errors.PermissionViolationError) return true;
  return error instanceof Error && error.cause !== undefined && isDenied(error.cause);
}

/** Whether a user may subscribe. */
async function subscribed(connection: NatsConnection, subject: string): Promise<string> {
  const failures: unknown[] = [];
  const subscription = connection.subscribe(subject, {
    callback: (error) => {
      failures.push(error);
    },
  });
  await connection.flush();
  subscription.unsubscribe();
  return failures.some(isDenied) ? 'denied' : 'subscribed';
}

const STREAMS = [
  'EVENKEEL_JOBS',
  'EVENKEEL_EVENTS',
  'EVENKEEL_ORDERS',
  'KV_evenkeel_runs',
  'KV_evenkeel_workers',
  'OBJ_evenkeel_descriptions',
];

/** What the site madrid must not publish. */
const FORBIDDEN: readonly string[] = [
  ...STREAMS.flatMap((stream) => [
    `$JS.API.STREAM.CREATE.${stream}`,
    `$JS.API.STREAM.UPDATE.${stream}`,
    `$JS.API.STREAM.DELETE.${stream}`,
    `$JS.API.STREAM.PURGE.${stream}`,
    `$JS.API.STREAM.MSG.DELETE.${stream}`,
    `$JS.API.STREAM.SNAPSHOT.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.spy`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.spy`,
    `$JS.API.CONSUMER.NAMES.${stream}`,
    `$JS.API.CONSUMER.LIST.${stream}`,
    `$JS.API.DIRECT.GET.${stream}`,
  ]),
  '$JS.API.STREAM.CREATE.SPY',
  '$JS.API.STREAM.NAMES',
  '$JS.API.STREAM.LIST',
  // The queue of the other site, and more than taking from the site's own.
  'evenkeel.jobs.madrid',
  'evenkeel.jobs.paris',
  'evenkeel.take.paris.run1.session1',
  '$JS.API.CONSUMER.MSG.NEXT.EVENKEEL_JOBS.paris',
  '$JS.API.CONSUMER.INFO.EVENKEEL_JOBS.paris',
  '$JS.API.CONSUMER.DELETE.EVENKEEL_JOBS.paris',
  '$JS.API.CONSUMER.DELETE.EVENKEEL_JOBS.madrid',
  '$JS.API.CONSUMER.CREATE.EVENKEEL_JOBS.paris.evenkeel.jobs.paris',
  '$JS.API.CONSUMER.CREATE.EVENKEEL_JOBS.spy.evenkeel.jobs.*',
  '$JS.API.STREAM.MSG.GET.EVENKEEL_JOBS',
  '$JS.ACK.EVENKEEL_JOBS.paris.1.1.1.1.0',
  // What workers of the other site send and receive.
  'evenkeel.events.run1.paris.job1',
  '$JS.API.STREAM.MSG.GET.EVENKEEL_EVENTS',
  '$JS.API.DIRECT.GET.EVENKEEL_EVENTS.evenkeel.events.run1.paris.job1',
  '$JS.API.CONSUMER.CREATE.EVENKEEL_EVENTS.spy.evenkeel.events.>',
  'evenkeel.orders.madrid.worker1.run1.job1',
  'evenkeel.orders.paris.worker1.run1.job1',
  '$JS.API.STREAM.MSG.GET.EVENKEEL_ORDERS',
  '$JS.API.DIRECT.GET.EVENKEEL_ORDERS.evenkeel.orders.paris.worker1.run1',
  '$JS.API.CONSUMER.CREATE.EVENKEEL_ORDERS.spy.evenkeel.orders.paris.>',
  '$JS.API.CONSUMER.CREATE.EVENKEEL_ORDERS.spy.evenkeel.orders.>',
  '$JS.API.CONSUMER.CREATE.EVENKEEL_ORDERS.spy.evenkeel.orders.*.worker1.>',
  '_INBOX_paris.x',
  // Runs and bundles belong to the coordinator, workers to their sites.
  '$KV.evenkeel_workers.paris.worker1',
  '$KV.evenkeel_runs.run1',
  '$O.evenkeel_descriptions.M.eA==',
  '$O.evenkeel_descriptions.C.x',
  '$SYS.REQ.SERVER.PING',
];

/** What a site needs only when its link was cut. */
const AFTER_A_CUT = [
  '$JS.API.DIRECT.GET.EVENKEEL_EVENTS.evenkeel.events.run1.madrid.job1',
  '$JS.API.CONSUMER.INFO.EVENKEEL_ORDERS.consumer1',
  '$JS.API.CONSUMER.DELETE.EVENKEEL_ORDERS.consumer1',
];

/** More than one message. */
const LARGE = 5 << 20;

/** Returns what it received, and what the coordinator sends. */
function echoing(site: string): Omit<Parameters<WorkerTransport['serve']>[0], 'signal'> {
  let described = '';
  return {
    begin: (_, description) => {
      described = description;
      return Promise.resolve();
    },
    walk: async (assignment) => {
      const heard = new Promise<string>((resolve) => {
        assignment.onMessage(resolve);
      });
      assignment.post(`${site} was told ${described.length} characters`);
      assignment.post(`${assignment.text} begins`);
      await assignment.postDurably(`${assignment.text} intends to write`);
      assignment.post(`${assignment.text} heard: ${await heard}`);
    },
    onBroadcast: () => undefined,
    end: () => Promise.resolve(),
  };
}

/** The messages of a walk that the coordinator receives. */
async function walked(coordinator: CoordinatorTransport, walk: string, site: string): Promise<readonly string[]> {
  const heard: string[] = [];
  const attempt = coordinator.offer(
    { walk, controller: 'lb1', site, text: () => walk },
    {
      taken: (worker) => heard.push(`taken by ${worker}`),
      message: (text) => {
        heard.push(text);
      },
      waiting: () => undefined,
    },
  );
  attempt.send('go ahead');
  const { type } = await attempt.end;
  return [...heard, type];
}

const describeWithBroker = NATS_SERVER === undefined ? describe.skip : describe;
if (NATS_SERVER === undefined) sayWithoutNats('permissions of sites on the broker');

describeWithBroker('the configuration of docs/examples', () => {
  it('limits the workers of a site to their own subjects', () =>
    withExample(async ({ as }) => {
      const storage = await openStorage(new Link(await as('coordinator'), () => undefined));
      await openBuckets(storage, 15_000);
      for (const site of ['madrid', 'paris']) await JobQueue.open(storage, site, 15_000, 10);
      const madrid = await as('madrid');
      const found = new Map<string, string>();
      for (const subject of FORBIDDEN) found.set(subject, await asked(madrid, subject));
      expect([...found].filter(([, outcome]) => outcome !== 'denied')).to.deep.equal([]);
      for (const subject of AFTER_A_CUT) expect(await asked(madrid, subject), subject).to.not.equal('denied');
      for (const subject of ['>', 'evenkeel.>', '_INBOX.>', '_INBOX_paris.>', '*.>', '$JS.>', '$KV.>', '$O.>'])
        expect(await subscribed(madrid, subject), subject).to.equal('denied');
      expect(await subscribed(madrid, '_INBOX_madrid.>')).to.equal('subscribed');
    }));

  it('allows the work of both sites', () =>
    withExample(async ({ port, caFile, as, errors, firstError }) => {
      const lines: string[] = [];
      const report = (line: string): unknown => lines.push(line);
      const nats = (user: User): NatsOptions => ({
        url: `tls://localhost:${port}`,
        user,
        password: `${user}-password`,
        caFile,
      });
      const given = { run: 'run1', version: '1', siteTimeout: 20, describe: () => 'x'.repeat(LARGE), report };
      const coordinator = await openNatsCoordinator({ ...given, nats: nats('coordinator') });
      const done = new AbortController();
      const working = ['madrid', 'paris'].map(async (site) => {
        const stateFolder = path.join(path.dirname(caFile), site);
        const described = { site, name: `worker at ${site}`, version: '1', concurrency: 2, stateFolder, report };
        const worker = await openNatsWorker({ ...described, nats: nats(site as User) });
        await worker.serve({ ...echoing(site), signal: done.signal });
      });
      coordinator.broadcast('to all');
      const walks = ['madrid', 'paris', 'madrid'].map((site, index) => walked(coordinator, `walk${index}`, site));
      expect(await Promise.race([Promise.all(walks), firstError])).to.deep.equal(
        ['madrid', 'paris', 'madrid'].map((site, index) => [
          `taken by worker at ${site}`,
          `${site} was told ${LARGE} characters`,
          `walk${index} begins`,
          `walk${index} intends to write`,
          `walk${index} heard: go ahead`,
          'ended',
        ]),
      );
      const first = await (await as('madrid')).request('$JS.API.STREAM.MSG.GET.OBJ_evenkeel_descriptions', '{"seq":1}');
      const { message } = first.json<{ readonly message: { readonly data: string } }>();
      expect(Buffer.from(message.data, 'base64').toString()).to.have.length.above(1000).and.not.contain('xxxx');
      await coordinator.close();
      done.abort();
      await Promise.all(working);
      expect(lines).to.deep.equal([]);
      expect(errors()).to.deep.equal([]);
    }));

  it('does not let a consumer read another subject than the permission names', () =>
    withExample(async ({ as }) => {
      await openBuckets(await openStorage(new Link(await as('coordinator'), () => undefined)), 15_000);
      const config = {
        name: 'spy',
        filter_subject: 'evenkeel.orders.paris.>',
        ack_policy: 'none',
        mem_storage: true,
        inactive_threshold: 5e9,
      };
      const madrid = await as('madrid');
      const request = { stream_name: 'EVENKEEL_ORDERS', config };
      const create = '$JS.API.CONSUMER.CREATE.EVENKEEL_ORDERS.spy.evenkeel.orders.madrid.>';
      expect(await asked(madrid, create, request)).to.equal(
        'Consumer create request did not match filtered subject from create subject',
      );
      expect(
        await asked(madrid, create, { ...request, config: { ...config, filter_subject: 'evenkeel.orders.madrid.>' } }),
      ).to.equal('answered');
    }));

  it('refuses users without a password, and the password of another', () =>
    withExample(async ({ port, caFile }) => {
      const servers = `localhost:${port}`;
      const tls = { caFile };
      const wrong = connect({ servers, user: 'madrid', pass: 'paris-password', tls });
      expect(await wrong.then(() => 'connected', String)).to.match(/^AuthorizationError/);
      expect(await connect({ servers, tls }).then(() => 'connected', String)).to.match(/^AuthorizationError/);
    }));

  it('gives both sites the same permissions', async () => {
    const text = await readFile(path.join(EXAMPLES, 'evenkeel-users.conf'), 'utf8');
    const [madrid, paris] = ['madrid', 'paris'].map((site) => {
      const block = new RegExp(`^${site} = \\{(.*?)^\\}`, 'ms').exec(text)?.[1] ?? '';
      return block
        .split('\n')
        .filter((line) => !line.trim().startsWith('#'))
        .join('\n')
        .replaceAll(site, 'SITE');
    });
    expect(madrid).to.contain('SITE').and.to.equal(paris);
  });
});
