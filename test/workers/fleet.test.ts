import { mkdtemp, mkdir, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { RunFinished } from '../../src/model/run/event.js';
import { keyOf, JournalOnDisk } from '../crash/journal.js';
import { Random } from '../crash/random.js';
import { finishedOf, warningsOf } from '../rig/events_of.js';
import { Broker, CuttableLink, NATS_SERVER, sayWithoutNats } from '../rig/nats.js';
import { SEED } from '../rig/random_seed.js';
import { CommandProcess, filesWith, PLANTED, SiteFleet, SiteWorker, TWO_SITES } from './fleet_rig.js';

/** `.ci/nightly` has 300 controllers, 20 kills and 30 seconds. */
const CONTROLLERS = Number(process.env['EVENKEEL_SITE_CONTROLLERS'] ?? 12);
const KILLS = Number(process.env['EVENKEEL_SITE_KILLS'] ?? 3);
/** How long the link of a site is cut. 0: until its worker is missed. */
const CUT_SECONDS = Number(process.env['EVENKEEL_SITE_CUT'] ?? 0);

const RUN = ['run', 'rollout.yml', '-i', 'inventory.yml', '-o', 'json'] as const;

interface Left {
  readonly stats: RunFinished['stats'];
  readonly state: SiteFleet['state'];
}

describe('a fleet in two sites', function () {
  // As long as so many starts of the command take; a busy machine must not fail for it.
  this.timeout(600_000);

  let broker: Broker;
  let link: CuttableLink;
  let folder: string;
  const started: SiteWorker[] = [];
  let workers: readonly SiteWorker[];
  let expected: Left;
  let fleet: SiteFleet;

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('a fleet in two sites');
      this.skip();
    }
    broker = await Broker.start();
    link = await CuttableLink.to(broker);
    folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-sites-'));
    workers = await Promise.all([
      startWorker('madrid-1', broker.url, '--concurrency', '5'),
      startWorker('madrid-2', broker.url),
      startWorker('paris-1', link.url),
    ]);
    expected = await inProcess();
  });
  beforeEach(async () => {
    fleet = await SiteFleet.start(CONTROLLERS);
  });
  afterEach(async () => {
    await fleet.dispose();
  });
  after(async () => {
    if (NATS_SERVER === undefined) return;
    await Promise.all(started.map((worker) => worker.stop()));
    await link.close();
    await broker.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function startWorker(name: string, url: string, ...more: readonly string[]): Promise<SiteWorker> {
    const own = path.join(folder, name);
    await mkdir(own);
    const worker = new SiteWorker(name, name.replace(/-.*/, ''), url, own, more);
    started.push(worker);
    await worker.start();
    return worker;
  }

  async function inProcess(): Promise<Left> {
    const controllers = await SiteFleet.start(CONTROLLERS);
    try {
      const run = new CommandProcess(RUN, controllers.project.directory);
      expect(await run.ended, run.stdout + run.stderr).to.equal(0);
      return { stats: finishedOf(run.stdout).stats, state: controllers.state };
    } finally {
      await controllers.dispose();
    }
  }

  function coordinator(...args: readonly string[]): CommandProcess {
    return new CommandProcess([...args, '--nats', broker.url], fleet.project.directory);
  }

  async function expectSame(run: CommandProcess): Promise<void> {
    const code = await run.ended;
    expect(code, warningsOf(run.stdout).join('\n') + run.stderr).to.equal(0);
    expect(finishedOf(run.stdout).stats).to.deep.equal(expected.stats);
    expect(fleet.state).to.deep.equal(expected.state);
    await expectWrittenOnce();
  }

  /** Nothing was created twice, and the journal has each write. */
  async function expectWrittenOnce(): Promise<void> {
    const written = fleet.written.map(keyOf);
    const created = fleet.written.filter(({ method }) => method === 'POST').map(keyOf);
    const twice = created.filter((one, at) => created.indexOf(one) !== at);
    expect(twice, 'created twice').to.deep.equal([]);
    const journal = new JournalOnDisk(fleet.project.directory);
    const id = (await journal.run()) ?? '';
    await journal.read(id);
    expect([...(await journal.applied(id))].sort()).to.deep.equal([...new Set(written)].sort());
  }

  const random = new Random(SEED);
  /** Each controller has six and more of them. */
  const someWrite = (): number => random.between(1, CONTROLLERS * 6);

  it('has the result of a run in one process', async () => {
    await expectSame(coordinator(...RUN));
    const shown = new CommandProcess(['runs', 'last'], fleet.project.directory);
    expect(await shown.ended, shown.stderr).to.equal(0);
    const rollback = new CommandProcess(['rollback', 'last', '--check', '-o', 'json'], fleet.project.directory);
    expect(await rollback.ended, rollback.stdout + rollback.stderr).to.equal(0);
  });

  it('has it under linear, with few places for walks', async () => {
    const worker = await startWorker('oslo-1', broker.url, '--concurrency', '3');
    await fleet.dispose();
    fleet = await SiteFleet.start(CONTROLLERS, () => 'oslo');
    await expectSame(coordinator(...RUN, '--strategy', 'linear'));
    expect(await worker.stop()).to.equal(0);
  });

  it(`has the same result when workers are killed ${KILLS} times (EVENKEEL_SEED=${SEED})`, async () => {
    let kills = 0;
    // Another fleet for the kills that are left.
    const most = Math.ceil((CONTROLLERS * 6) / Math.max(KILLS, 1));
    const killSoon = () => {
      fleet.atWrite(random.between(1, most), async () => {
        const victim = workers[random.between(0, workers.length - 1)];
        kills += 1;
        await victim?.killAndStart();
        if (kills < KILLS) killSoon();
      });
    };
    while (kills < KILLS) {
      killSoon();
      await expectSame(coordinator(...RUN));
      if (kills === KILLS) return;
      await fleet.dispose();
      fleet = await SiteFleet.start(CONTROLLERS);
    }
  });

  it(`has the same result when the broker is killed and started again (EVENKEEL_SEED=${SEED})`, async () => {
    fleet.atWrite(someWrite(), async () => {
      await broker.stop();
      await broker.start();
    });
    await expectSame(coordinator(...RUN));
  });

  it('has the same result when the link of a site is cut for longer than its lease', async () => {
    const run = coordinator(...RUN);
    const mended = new Promise<void>((resolve, reject) => {
      fleet.atWrite(CONTROLLERS * 3, () => {
        link.cut();
        void missed(run).then(() => {
          link.mend();
          resolve();
        }, reject);
      });
    });
    await expectSame(run);
    await mended;
  });

  async function missed(run: CommandProcess): Promise<void> {
    await run.out.first((line) => line.includes('lost its worker paris-1'));
    if (CUT_SECONDS > 0) await new Promise((resolve) => setTimeout(resolve, CUT_SECONDS * 1000));
  }

  it(`has the same result when the coordinator is killed and the run resumed (EVENKEEL_SEED=${SEED})`, async () => {
    const run = coordinator(...RUN);
    const killed = new Promise<void>((resolve) => {
      fleet.atWrite(someWrite(), async () => {
        await run.kill();
        resolve();
      });
    });
    await killed;
    expect(await filesWith(broker.folder, Object.values(PLANTED))).to.deep.equal([]);
    await expectSame(coordinator('resume', 'last', '-o', 'json', '--wait'));
  });

  it('has the same result when the coordinator is interrupted and the run resumed', async () => {
    const run = coordinator(...RUN);
    fleet.atWrite(CONTROLLERS * 3, () => {
      run.interrupt();
    });
    expect(await run.ended, run.stderr).to.equal(130);
    // An answer that was lost after the interrupt is not asked for again: the resume finds out.
    expect(finishedOf(run.stdout).status).to.equal('interrupted');
    await expectSame(coordinator('resume', 'last', '-o', 'json'));
  });

  it('finishes the other sites if one has no workers', async () => {
    const isAway = (number: number): boolean => number % 7 === 2;
    await fleet.dispose();
    fleet = await SiteFleet.start(CONTROLLERS, (number) => (isAway(number) ? 'lisbon' : TWO_SITES(number)));
    const run = coordinator(...RUN, '--site-timeout', '1');
    await run.out.first((line) => line.includes('site lisbon has no workers'));
    expect(await run.ended, run.stderr).to.equal(4);
    const said = warningsOf(run.stdout).filter((message) => message.includes('has no workers'));
    expect(said).to.deep.equal(['site lisbon has no workers']);
    expect(run.stdout).to.include(
      'start a worker with --site lisbon, or correct evenkeel_site; evenkeel workers lists the workers of all sites',
    );
    const { stats } = finishedOf(run.stdout);
    const names = Object.keys(expected.stats);
    const away = names.filter((name) => isAway(Number(name.slice(2))));
    for (const name of names)
      if (away.includes(name)) expect(stats[name], name).to.include({ unreachable: 1, ok: 0 });
      else expect(stats[name], name).to.deep.equal(expected.stats[name]);
    const written = new Set(fleet.written.map(({ controller }) => controller));
    expect(away.filter((name) => written.has(name))).to.deep.equal([]);
  });

  it('refuses a second run on another machine', async () => {
    const run = coordinator(...RUN);
    const second = new Promise<CommandProcess>((resolve, reject) => {
      fleet.atWrite(CONTROLLERS, async () => {
        const other = new CommandProcess([...RUN, '--nats', broker.url], fleet.project.directory, {
          EVENKEEL_STATE_DIR: path.join(folder, 'other'),
          EVENKEEL_LOCK_DIR: path.join(folder, 'other-locks'),
        });
        await other.ended.catch(reject);
        resolve(other);
      });
    });
    await expectSame(run);
    const refused = await second;
    expect(await refused.ended).to.equal(1);
    expect(refused.stderr).to.match(/run \S+ \(started by .*\) holds the lock on lb1, lb2/);
  });

  it('contacts nothing if the project cannot be sent to the workers', async () => {
    await fleet.project.write('backup.img', '');
    await truncate(path.join(fleet.project.directory, 'backup.img'), 65 * 1024 * 1024);
    const run = coordinator(...RUN);
    expect(await run.ended).to.equal(1);
    expect(run.stderr).to.match(/^error: .*backup\.img.*nothing was contacted/s);
    expect(fleet.written).to.deep.equal([]);
  });

  it('leaves no secret on the broker, nor at the workers but in the files of the project', async () => {
    expect(await filesWith(broker.folder, Object.values(PLANTED))).to.deep.equal([]);
    for (const { folder: own } of workers) {
      const { password, ...notInFiles } = PLANTED;
      expect(await filesWith(own, Object.values(notInFiles))).to.deep.equal([]);
      const found = await filesWith(own, [password]);
      expect(found.filter((file) => !file.includes('/bundles/'))).to.deep.equal([]);
      expect(found, 'the inventory of the project').to.not.equal([]);
      expect(await readdir(path.join(own, '.evenkeel/worker/outbox'))).to.deep.equal([]);
    }
  });
});
