import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { NATS_SERVER, sayWithoutNats } from '../../rig/nats.js';
import { NatsScene, Offered } from '../../rig/nats_workers.js';

/** What a site may do, and no more. */
const site = (name: string) => `{ user: ${name}, password: ${name}, permissions: {
  publish: [
    "$JS.API.STREAM.INFO.*"
    "$JS.API.CONSUMER.INFO.EVENKEEL_JOBS.${name}"
    "$JS.API.CONSUMER.CREATE.EVENKEEL_JOBS.${name}.evenkeel.jobs.${name}"
    "$JS.API.CONSUMER.MSG.NEXT.EVENKEEL_JOBS.${name}"
    "$JS.ACK.EVENKEEL_JOBS.${name}.>"
    "$JS.API.CONSUMER.CREATE.EVENKEEL_ORDERS.*.evenkeel.orders.${name}.>"
    "$JS.API.CONSUMER.INFO.EVENKEEL_ORDERS.*"
    "$JS.API.CONSUMER.MSG.NEXT.EVENKEEL_ORDERS.*"
    "$JS.API.CONSUMER.DELETE.EVENKEEL_ORDERS.*"
    "$JS.API.DIRECT.GET.EVENKEEL_EVENTS.evenkeel.events.*.${name}.*"
    "$JS.API.DIRECT.GET.KV_evenkeel_runs.>"
    "$JS.API.STREAM.MSG.GET.OBJ_evenkeel_descriptions"
    "$JS.API.CONSUMER.CREATE.OBJ_evenkeel_descriptions.>"
    "$JS.API.CONSUMER.INFO.OBJ_evenkeel_descriptions.*"
    "$JS.API.CONSUMER.DELETE.OBJ_evenkeel_descriptions.*"
    "$JS.FC.OBJ_evenkeel_descriptions.>"
    "$KV.evenkeel_workers.${name}.*"
    "evenkeel.take.${name}.>"
    "evenkeel.events.*.${name}.*"
  ]
  subscribe: ["_INBOX_${name}.>"]
} }`;

const CONFIG = `jetstream: enabled
authorization { users = [
  { user: coordinator, password: coordinator }
  ${site('berlin')}
  ${site('tokyo')}
] }`;

describe('sites over NATS', () => {
  let scene: NatsScene;

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('sites over NATS');
      this.skip();
    }
    scene = await NatsScene.start(CONFIG);
  });
  after(() => scene.dispose());

  const logIn = (user: string) => ({ url: scene.broker.url, user, password: user });

  it('lets a site work with the permissions that it needs, and waits for the coordinator that creates the streams', async () => {
    const working = scene.worker((assignment) => assignment.postDurably('done'), { nats: logIn('berlin') });
    await scene.log.first((line) => line.startsWith('w1: waiting'));
    const coordinator = await scene.coordinator({ nats: logIn('coordinator'), describe: () => 'd'.repeat(300_000) });
    await working;
    const offered = new Offered(coordinator, 'lb1');
    offered.send('answer');
    expect(await offered.end).to.deep.equal({ type: 'ended' });
    expect(offered.heard.items.slice(-2)).to.deep.equal(['taken by w1', 'done']);
  });

  it("shows a site nothing of another site's jobs, orders and events", async () => {
    const connection = await connect({
      servers: scene.broker.url,
      user: 'tokyo',
      pass: 'tokyo',
      inboxPrefix: '_INBOX_tokyo',
    });
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 1000 });
    const denied = async (doing: Promise<unknown>) =>
      doing.then(
        () => 'allowed',
        (error: unknown) => String(error).replace(/^.*(Permissions Violation).*$/s, '$1'),
      );
    const consumers: readonly [string, string][] = [
      ['EVENKEEL_JOBS', 'evenkeel.jobs.berlin'],
      ['EVENKEEL_JOBS', 'evenkeel.jobs.*'],
      ['EVENKEEL_ORDERS', 'evenkeel.orders.berlin.>'],
      ['EVENKEEL_EVENTS', 'evenkeel.events.>'],
    ];
    for (const [stream, filter_subject] of consumers)
      expect(await denied(manager.consumers.add(stream, { name: 'spy', filter_subject })), filter_subject).to.equal(
        'Permissions Violation',
      );
    expect(await denied(manager.streams.getMessage('EVENKEEL_JOBS', { seq: 1 }))).to.equal('Permissions Violation');
    for (const subject of [
      'evenkeel.jobs.berlin',
      'evenkeel.take.berlin.run.x',
      '$KV.evenkeel_workers.berlin.x',
      '$KV.evenkeel_runs.run',
    ])
      expect(await denied(connection.request(subject, '')), subject).to.equal('Permissions Violation');
    for (const subject of ['evenkeel.>', '_INBOX.>', '_INBOX_berlin.>', '$KV.>']) {
      const closed = connection.subscribe(subject, { callback: () => undefined }).closed;
      expect(String(await closed), subject).to.include('Permissions Violation');
    }
    await connection.close();
  });
});
