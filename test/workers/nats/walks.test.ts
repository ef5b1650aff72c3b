import { expect } from 'chai';
import { NATS_SERVER, sayWithoutNats } from '../../rig/nats.js';
import { NatsScene, Offered } from '../../rig/nats_workers.js';

describe('walks over NATS', () => {
  let scene: NatsScene;

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('walks over NATS');
      this.skip();
    }
    scene = await NatsScene.start();
  });
  afterEach(() => scene.end());
  after(() => scene.dispose());

  it('delivers messages in order and once, in both directions', async () => {
    const coordinator = await scene.coordinator();
    await scene.worker(async (assignment) => {
      const answers: string[] = [];
      const enough = new Promise<void>((resolve) => {
        assignment.onMessage((text) => {
          answers.push(text);
          if (answers.length === 200) resolve();
        });
      });
      for (let index = 0; index < 200; index += 1) assignment.post(`event ${index}`);
      await assignment.postDurably(`intent of ${assignment.text}`);
      await enough;
      assignment.post(answers.join());
    });
    const offered = new Offered(coordinator, 'lb1');
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    for (const number of numbers) offered.send(`answer ${number}`);
    expect(await offered.end).to.deep.equal({ type: 'ended' });
    expect(offered.heard.items.filter((text) => !text.startsWith('waiting'))).to.deep.equal([
      'taken by w1',
      ...numbers.map((number) => `event ${number}`),
      'intent of do lb1',
      numbers.map((number) => `answer ${number}`).join(),
    ]);
  });

  it('carries texts that are larger than a message may be', async () => {
    const coordinator = await scene.coordinator({ describe: () => 'd'.repeat(3_000_000) });
    await scene.worker(async (assignment) => {
      await new Promise<void>((resolve) => {
        assignment.onMessage((text) => {
          assignment.post(text);
          resolve();
        });
      });
    });
    const offered = new Offered(coordinator, 'lb1');
    offered.send('ü'.repeat(1_500_000));
    await offered.end;
    expect(offered.heard.items.at(-1) === 'ü'.repeat(1_500_000)).to.equal(true);
    expect(scene.log.items.find((line) => line.startsWith('w1: begin'))).to.have.lengthOf(3_000_000 + 16);
  });

  it('shares the walks of a site among its workers, and shows them to no other site', async () => {
    const coordinator = await scene.coordinator();
    const workers: string[] = [];
    const walk = (name: string) => (assignment: { text: string; post(text: string): void }) => {
      workers.push(name);
      assignment.post(name);
      return both;
    };
    let release: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (release = resolve));
    await scene.worker(walk('w1'));
    await scene.worker(walk('w2'), { name: 'w2' });
    await scene.worker(walk('w3'), { name: 'w3', site: 'tokyo' });
    const offered = [new Offered(coordinator, 'lb1'), new Offered(coordinator, 'lb2')];
    for (const { heard } of offered) await heard.first((text) => text === 'w1' || text === 'w2');
    release();
    await Promise.all(offered.map(({ end }) => end));
    expect(workers.toSorted()).to.deep.equal(['w1', 'w2']);
  });

  it('begins a run once, tells all its workers the same, and ends it', async () => {
    const coordinator = await scene.coordinator({ run: 'one' });
    const seen = new Map<string, string>();
    await scene.worker((assignment) => {
      seen.set(assignment.text, assignment.run);
      return Promise.resolve();
    });
    coordinator.broadcast('early');
    for (const walk of ['lb1', 'lb2', 'lb3']) await new Offered(coordinator, walk).end;
    coordinator.broadcast('late');
    await coordinator.close();
    await scene.log.first((line) => line === 'w1: end one');
    expect([...seen]).to.deep.equal([
      ['do lb1', 'one'],
      ['do lb2', 'one'],
      ['do lb3', 'one'],
    ]);
    expect(scene.log.items).to.deep.equal([
      'w1: begin one the description',
      'w1: broadcast one early',
      'w1: broadcast one late',
      'w1: end one',
    ]);
  });

  it('reports a walk that failed at the worker', async () => {
    const coordinator = await scene.coordinator();
    await scene.worker(() => Promise.reject(new Error('the playbook is not there')));
    expect(await new Offered(coordinator, 'lb1').end).to.deep.equal({
      type: 'failed',
      worker: 'w1',
      reason: 'the playbook is not there',
    });
  });

  it('ends what workers still do when it is closed', async () => {
    const coordinator = await scene.coordinator();
    let revoked = false;
    await scene.worker(
      (assignment) =>
        new Promise((resolve) => {
          assignment.revoked.addEventListener('abort', () => {
            revoked = true;
            resolve();
          });
          assignment.post('begun');
        }),
    );
    const offered = new Offered(coordinator, 'lb1');
    await offered.heard.first((text) => text === 'begun');
    await coordinator.close();
    expect(await offered.end).to.deep.equal({ type: 'lost', worker: 'w1', reason: 'the run is over' });
    await scene.log.first((line) => line === 'w1: end run-6');
    expect(revoked).to.equal(true);
  });
});
