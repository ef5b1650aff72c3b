import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Random } from '../crash/random.js';
import { haveAll } from '../rig/programs.js';
import { IS_WHOLE, SEED, shareOf } from '../rig/random_seed.js';
import { SSH, type Tunnel } from '../rig/ssh.js';
import { RoutedFleet, Routes, type RunProcess } from './faults_rig.js';

/** `.ci/nightly` has 300 controllers, more and longer faults. */
const CONTROLLERS = IS_WHOLE ? 300 : 8;
const KILLS = IS_WHOLE ? 20 : 3;
const REBOOTS = IS_WHOLE ? 5 : 1;
/** A controller gets about 15 requests: faults happen in the first two thirds of them. */
const REQUESTS = CONTROLLERS * 10;

describe('faults of tunnels', function () {
  this.timeout(600_000);
  const cleanup: (() => Promise<unknown>)[] = [];
  const random = new Random(SEED);
  let routes: Routes;
  let fleet: RoutedFleet;

  before(async function () {
    if (!haveAll('faults of tunnels', ...SSH)) this.skip();
    routes = await Routes.open();
    cleanup.push(() => routes.close());
  });
  beforeEach(async () => {
    fleet = await RoutedFleet.start(CONTROLLERS, routes);
  });
  afterEach(() => fleet.dispose());
  after(async () => {
    for (const dispose of cleanup.toReversed()) await dispose();
  });

  const sometime = (): number => random.between(1, REQUESTS);
  const someTunnel = (): Tunnel | undefined => routes.tunnels[random.between(0, routes.tunnels.length - 1)];

  async function expectDone(run: RunProcess): Promise<void> {
    const { code, output } = await run.ended;
    expect(code, output).to.equal(0);
    expect(fleet.wrong).to.deep.equal([]);
  }

  it(`tunnels are killed ${KILLS} times, and back within 3 seconds`, async () => {
    const pending: Promise<unknown>[] = [];
    for (let kill = 0; kill < KILLS; kill += 1)
      fleet.atRequest(sometime(), () => {
        pending.push(someTunnel()?.restart(1000) ?? Promise.resolve());
      });
    await expectDone(fleet.run());
    await Promise.all(pending);
  });

  it(`the bastion restarts ${REBOOTS} times`, async () => {
    let pending: Promise<unknown> = Promise.resolve();
    // One after the other: several in a row would be one outage, longer than controllers are waited for.
    const reboot = (left: number): void =>
      fleet.atRequest(random.between(1, REQUESTS / REBOOTS), () => {
        pending = routes.reboot().then(() => {
          if (left > 1) reboot(left - 1);
        });
      });
    reboot(REBOOTS);
    await expectDone(fleet.run());
    await pending;
  });

  // The bastion frees the port when it misses the site.
  const again = async (): Promise<void> => routes.tunnels[0]?.restart(0);
  const troubles: readonly (readonly [what: string, begin: () => void, end: () => unknown])[] = [
    ['a tunnel is stopped', () => routes.tunnels[0]?.signal('SIGSTOP'), () => routes.tunnels[0]?.signal('SIGCONT')],
    ['the link of a tunnel stalls', () => routes.links[0]?.stall(), () => routes.links[0]?.resume()],
    ['the link of a tunnel is half-open', () => routes.links[0]?.halfOpen(), again],
    [
      'the link of a tunnel is a black hole',
      () => routes.links[0]?.lose(true),
      () => {
        routes.links[0]?.lose(false);
        return again();
      },
    ],
  ];
  for (const [what, begin, end] of shareOf(troubles, 2)) {
    const seconds = IS_WHOLE ? (what === 'a tunnel is stopped' ? 60 : random.between(3, 60)) : 3;
    it(`${what}, for ${seconds} seconds`, async () => {
      let over: Promise<unknown> = Promise.resolve();
      fleet.atRequest(sometime(), () => {
        begin();
        over = sleep(seconds * 1000).then(end);
      });
      await expectDone(fleet.run());
      await over;
    });
  }

  it('both tunnels of a route are away, for less than the patience', async () => {
    const both = routes.tunnels.slice(0, 2);
    let back: Promise<unknown> = Promise.resolve();
    fleet.atRequest(sometime(), () => {
      back = Promise.all(both.map((tunnel) => tunnel.restart(IS_WHOLE ? 10_000 : 3000)));
    });
    await expectDone(fleet.run());
    await back;
  });

  it('the coordinator is killed, and the run resumed', async () => {
    const run = fleet.run();
    fleet.atRequest(sometime(), () => void run.kill());
    await run.ended;
    await expectDone(fleet.run('resume', 'last'));
  });

  it('a second Ctrl-C ends the run within 5 seconds, although nothing passes any more', async () => {
    const run = fleet.run();
    await new Promise<void>((resolve) => {
      fleet.atRequest(Math.ceil(REQUESTS / 3), resolve);
    });
    for (const link of routes.links) link.stall();
    run.interrupt();
    await sleep(500);
    const started = performance.now();
    run.interrupt();
    const { code, output } = await run.ended;
    expect(performance.now() - started, output).to.be.below(5000);
    expect(code, output).to.equal(130);
    for (const link of routes.links) link.resume();
    await expectDone(fleet.run('resume', 'last'));
  });
});
