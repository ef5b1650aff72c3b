import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { Broker, CuttableLink, NATS_SERVER, sayWithoutNats } from '../rig/nats.js';
import { CommandProcess } from './fleet_rig.js';

const CONTROLLER = 'controller_url: "https://127.0.0.1:1", controller_username: u, controller_password: p';
/** It may write, so it locks, but contacts nothing. */
const playbook = (seconds: number): string =>
  `- { hosts: all, tasks: [{ pause: { seconds: ${seconds} } }, { cloud_present: { name: edge }, when: false }] }`;

describe('leases of runs over NATS', () => {
  let broker: Broker;
  let project: Project;
  const begun: CommandProcess[] = [];

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('leases of runs over NATS');
      this.skip();
    }
    broker = await Broker.start();
    project = await emptyProject({
      'inv.yml': `all: { hosts: { lb1: { ${CONTROLLER} } } }`,
      'long.yml': playbook(300),
      'short.yml': playbook(3),
    });
  });
  afterEach(async () => {
    for (const one of begun.splice(0)) await one.kill();
  });
  after(async () => {
    if (NATS_SERVER === undefined) return;
    await broker.dispose();
    await project.remove();
  });

  function start(
    args: readonly string[],
    url: string,
    { locks = '.locks', ...env }: Readonly<Record<string, string>> = {},
  ): CommandProcess {
    const { directory } = project;
    const one = new CommandProcess([...args, '-o', 'lines', '--nats', url], directory, {
      EVENKEEL_LOCK_DIR: path.join(directory, locks),
      ...env,
    });
    begun.push(one);
    return one;
  }

  it('report that another run has taken over the locks, and what to do', async () => {
    const link = await CuttableLink.to(broker);
    try {
      const first = start(['run', 'long.yml', '-i', 'inv.yml', '--wait'], link.url);
      await first.out.first((line) => line.startsWith('play all'));
      link.cut();
      // As from another machine.
      const second = start(['run', 'short.yml', '-i', 'inv.yml', '--wait'], broker.url, { locks: '.others' });
      await second.out.first((line) => line.startsWith('play all'));
      link.mend();
      await first.err.first((line) => line.includes('the locks of this run are lost'));
      expect(await first.ended).to.equal(130);
      expect(first.stderr).to.match(
        /lost: run \S+ \(.*\) has taken them over, since this one could not reach the NATS/,
      );
      expect(first.stderr).to.match(/wait until that run is done, then continue with: evenkeel resume \S+/);
      expect(await second.ended).to.equal(0);
    } finally {
      await link.close();
    }
  });

  it('report once that the broker is unreachable, and that it is back', async () => {
    const run = start(['run', 'long.yml', '-i', 'inv.yml'], broker.url);
    await run.out.first((line) => line.startsWith('play all'));
    await broker.stop();
    await run.err.first((line) => line.includes('lost the connection'));
    await broker.start();
    await run.err.first((line) => line.includes('again'));
    run.interrupt();
    await run.ended;
    const said = run.err.items.filter((line) => line.includes('the NATS server'));
    expect(said.map((line) => line.replaceAll(/127\S+/g, 'HERE'))).to.deep.equal([
      'warning: lost the connection to the NATS server HERE reconnecting',
      'warning: connected to the NATS server HERE again',
    ]);
  });

  /** Starts a run, and kills it in the middle. */
  async function killed(lease: Readonly<Record<string, string>>, url = broker.url): Promise<void> {
    const run = start(['run', 'short.yml', '-i', 'inv.yml', '--wait'], url, lease);
    await run.out.first((line) => line.startsWith('play all'));
    await run.kill();
  }

  it('let a resume with --wait continue when they expire', async () => {
    const lease = { EVENKEEL_LEASE_MS: '3000' };
    await killed(lease);
    const waiting = start(['resume', 'last', '--wait'], broker.url, lease);
    expect(await waiting.ended, waiting.stderr).to.equal(0);
    expect(waiting.stdout).to.include('lb1  ok=1');
  });

  it('refuse a resume while the leases of the killed run are valid, and report for how long', async () => {
    const lease = { EVENKEEL_LEASE_MS: '600000' };
    // The first run on a broker decides when its keys expire: on the other one, after the 15 s of the runs above.
    const own = await Broker.start();
    try {
      await killed(lease, own.url);
      const refused = start(['resume', 'last'], own.url, lease);
      expect(await refused.ended).to.equal(1);
      expect(refused.stderr).to.include('is already running, or ended a moment ago without releasing its locks');
      expect(refused.stderr).to.include('--wait continues it when its locks expire, at most 600 s after its end');
    } finally {
      await own.dispose();
    }
  });
});
