import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { RemoteDispatcher } from '../../../src/run/remote/coordinator/remote_dispatcher.js';
import type { WalkHost } from '../../../src/run/remote/worker/walk_host.js';
import { FOUR, outcomeOf, SCENARIOS } from '../../rig/dispatch_scenarios.js';
import { EFFECTS } from '../../rig/effect_scenarios.js';
import { goOn, keptRun, momentAfter, settledStep } from '../../rig/cut_run.js';
import { hostOf } from '../../rig/loopback.js';
import { NATS_SERVER, sayWithoutNats } from '../../rig/nats.js';
import { NatsScene } from '../../rig/nats_workers.js';
import { runText, type TextOptions } from '../../rig/run_text.js';

describe('a dispatcher over NATS', function () {
  let scene: NatsScene;
  /** The project of the current run's workers. */
  let current: () => WalkHost;

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('a dispatcher over NATS');
      this.skip();
    }
    scene = await NatsScene.start();
  });
  after(async () => {
    if (NATS_SERVER !== undefined) await scene.dispose();
  });

  const dispatcher: TextOptions['dispatcher'] = async (input, refused) => {
    current = () => hostOf(input, refused);
    const transport = await scene.coordinator({ run: `run-${randomBytes(4).toString('hex')}` });
    return (context) =>
      new RemoteDispatcher(context, {
        transport,
        siteOf: (variables) => ({ site: variables.get('site') === 'b' ? 'paris' : 'madrid' }),
        refuseCredentials: () => {
          refused.abort();
        },
        lockController: () => Promise.resolve(null),
      });
  };

  for (const [name, { playbook, ...options }] of Object.entries({ ...SCENARIOS, ...EFFECTS }))
    it(`has the outcome of one process: ${name}`, async () => {
      for (const [index, site] of ['madrid', 'madrid', 'paris'].entries()) {
        let host: WalkHost | undefined;
        await scene.worker((assignment) => (host ??= current()).walk(assignment), {
          site,
          name: `w${index}`,
          concurrency: 4,
        });
      }
      const alone = await runText(playbook, { inventory: FOUR, ...options, workers: 0 });
      const shared = await runText(playbook, { inventory: FOUR, ...options, dispatcher });
      expect(outcomeOf(shared)).to.deep.equal(outcomeOf(alone));
      await scene.end();
    });

  it('resumes more controllers than a worker has places', async () => {
    let host: WalkHost | undefined;
    await scene.worker((assignment) => (host ??= current()).walk(assignment), { site: 'madrid', concurrency: 1 });
    const playbook =
      '- hosts: lb1:lb2\n  tasks: [{ name: a, set_fact: { a: 1 } }, { name: b, debug: { msg: "{{ a }}" } }]\n';
    const options = { inventory: FOUR, forks: 2, strategy: 'host_pinned' } as const;
    const run = await keptRun(playbook, options);
    const both = momentAfter(run, settledStep('lb2', 'a'));
    const { ran } = await goOn(playbook, both, { ...options, dispatcher });
    expect(ran.finished.status).to.equal('ok');
    expect(ran.finished.stats).to.deep.equal(run.ran.finished.stats);
    await scene.end();
  });
});
