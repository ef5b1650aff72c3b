import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { JsonObject } from '../../../src/simulator/protocol/exchange.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';

describe('the upgrade of a strict simulated controller', () => {
  let lb1: AviController;
  const image = 'image-22.1.6-9191';

  beforeEach(async () => {
    lb1 = await startAviController({ upgrade: { disallowed: 500, unavailable: 60, refused: 60 } });
    const images = ['22.1.6-9191', '22.1.3-9000', 'hsm'].map((name): JsonObject => ({ uuid: `image-${name}`, name }));
    lb1.controller.setObjects('/api/image/', images);
  });
  afterEach(() => lb1.close());

  const status = async (): Promise<JsonObject> => {
    const { count, results } = await lb1.client.object('GET', '/api/upgradestatusinfo');
    expect(count).to.equal(1);
    return (results as unknown as readonly JsonObject[])[0] ?? {};
  };
  const start = (body: JsonObject): Promise<number> =>
    lb1.client.send('POST', '/api/upgrade', body).then((answer) => answer.status);
  /** Asks again until the controller is back, with a new session. */
  async function isBack(): Promise<readonly unknown[]> {
    const seen: unknown[] = [];
    for (;;) {
      const answer = await lb1.client.send('GET', '/api/upgradestatusinfo').then(
        (one) => one.status,
        () => 'refused',
      );
      if (answer !== seen.at(-1)) seen.push(answer);
      if (answer === 401) return seen;
      await pause(5);
    }
  }

  it('goes through its phases, ends all sessions, and changes the version', async () => {
    expect(await status()).to.deep.include({ version: '22.1.3', tasks_completed: 20 });
    expect(await start({ image_ref: `/api/image/${image}`, system: true })).to.equal(200);
    expect(await status()).to.deep.include({ state: { state: 'UPGRADE_FSM_IN_PROGRESS', reason: '' } });
    expect(await start({ image_uuid: image })).to.equal(403);
    // On a busy machine, the first phase may be over by now.
    expect((await isBack()).filter((one) => one !== 200)).to.deep.equal([503, 'refused', 401]);
    await lb1.client.login();
    expect(await status()).to.deep.include({
      version: '22.1.6-9191',
      state: { state: 'UPGRADE_FSM_COMPLETED', reason: '' },
    });
    expect(await lb1.client.object('GET', '/api/cluster/version')).to.include({ Version: '22.1.6' });
    expect(await start({ image_uuid: image })).to.equal(400);
  });

  it('can fail, and leaves the version', async () => {
    lb1.controller.behaviour = { upgrade: { disallowed: 0, fails: true } };
    expect(await start({ image_ref: '/api/image?name=22.1.6-9191' })).to.equal(200);
    expect(await status()).to.deep.include({
      version: '22.1.3',
      state: { state: 'UPGRADE_FSM_ERROR', reason: 'The upgrade to 22.1.6-9191 failed' },
    });
  });

  it('needs an image, with a newer version', async () => {
    const refused = [{}, ...['22.1.3-9000', 'hsm', '7'].map((name) => ({ image_uuid: `image-${name}` }))];
    const answers: number[] = [];
    for (const body of refused) answers.push(await start(body));
    expect(answers).to.deep.equal([400, 400, 400, 404]);
    expect((await lb1.client.send('GET', '/api/upgrade')).status).to.equal(405);
  });
});
