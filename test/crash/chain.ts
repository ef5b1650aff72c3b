import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { RunFinished } from '../../src/core/model/run/event.js';
import { emptyProject, evenkeel, type Project } from '../rig/command.js';
import { finishedOf } from '../rig/events_of.js';
import type { TestedDialect } from '../rig/simulated.js';
import { CONTROLLERS, CrashFleet } from './fleet.js';
import { JournalOnDisk, keyOf } from './journal.js';
import { someLoss, someMoment, type Moment } from './moments.js';
import type { Random } from './random.js';
import { ROLLOUTS } from './rollout.js';
import { Victim, type Death } from './victim.js';

/** What a run leaves behind. */
export interface Left {
  readonly stats: RunFinished['stats'];
  readonly state: CrashFleet['state'];
  /** The kinds of objects in each downloaded file. */
  readonly saved: Readonly<Record<string, readonly string[]>>;
}

/** How the rollout is started: directly, or by applying a plan. */
export type Start = 'run' | 'apply';

export interface Budget {
  /** How many times a run may still be killed. */
  kills: number;
  /** At what it was. */
  readonly struck: Set<string>;
}

const PLAN = ['plan', 'rollout.yml', '-i', 'inventory.yml', '--out', 'rollout.plan'] as const;
const STARTS: Readonly<Record<Start, readonly string[]>> = {
  run: ['run', 'rollout.yml', '-i', 'inventory.yml'],
  apply: ['apply', 'rollout.plan'],
};

/** One run that is killed and resumed again and again, until the kills are used up or it finishes. */
export class Chain {
  /** The time from the start of a process to its first request, if known. */
  #startSeconds = 0.5;
  readonly #steps: string[] = [];

  private constructor(
    private readonly random: Random,
    private readonly fleet: CrashFleet,
    private readonly project: Project,
    private readonly journal: JournalOnDisk,
    private readonly start: Start,
  ) {}

  static async run(dialect: TestedDialect, start: Start, random: Random, budget: Budget): Promise<Left> {
    const fleet = await CrashFleet.start(dialect);
    const { playbook, files } = ROLLOUTS[dialect];
    const project = await emptyProject({ ...files, 'rollout.yml': playbook, 'inventory.yml': fleet.inventory });
    const chain = new Chain(random, fleet, project, new JournalOnDisk(project.directory), start);
    try {
      if (start === 'apply') await chain.#plan();
      return await chain.#toItsEnd(budget);
    } catch (error) {
      throw new Error(`after ${chain.#steps.join('; ')}: ${String(error)}`, { cause: error });
    } finally {
      await fleet.dispose();
      await project.remove();
    }
  }

  async #toItsEnd(budget: Budget): Promise<Left> {
    for (;;) {
      const moment = budget.kills > 0 ? someMoment(this.random, budget.struck) : undefined;
      const { code, stdout, stderr } = await this.#oneProcess(moment);
      if (code === null) {
        budget.kills -= 1;
        if (moment !== undefined) budget.struck.add(moment.type === 'start' ? 'start' : moment.stage);
        continue;
      }
      expect(code, `${stdout}${stderr}`).to.equal(0);
      return { stats: finishedOf(stdout).stats, state: this.fleet.state, saved: await this.#saved() };
    }
  }

  /** Throws if a file is incomplete. A killed process leaves a partial file under a name with a dot. */
  async #saved(): Promise<Left['saved']> {
    const folder = path.join(this.project.directory, 'backup');
    const names = (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.'));
    const saved = names.sort().map(async (name): Promise<readonly [string, readonly string[]]> => {
      const content = JSON.parse(await readFile(path.join(folder, name), 'utf8')) as object;
      return [name, Object.keys(content)];
    });
    return Object.fromEntries(await Promise.all(saved));
  }

  /** Removes the run of the plan, so that the run of the apply is the newest. */
  async #plan(): Promise<void> {
    const { directory } = this.project;
    const { code, stdout, stderr } = await evenkeel([...PLAN], { cwd: directory });
    expect(code, `${stdout}${stderr}`).to.equal(0);
    await this.fleet.quiet();
    expect(this.fleet.written, 'written while the plan was made').to.deep.equal([]);
    await rm(path.join(directory, '.evenkeel', 'runs'), { recursive: true });
    // The inputs of the plan no longer matter.
    await this.project.write('rollout.yml', 'no playbook');
  }

  /** One process: starts or resumes the run, and is killed if it reaches that moment. */
  async #oneProcess(moment: Moment | undefined): Promise<Death> {
    const id = await this.journal.run();
    const [size, done] =
      id === undefined ? [0, new Set<string>()] : [await this.journal.size(id), await this.journal.applied(id)];
    this.#steps.push(`${id === undefined ? 'run' : 'resume'} ${JSON.stringify(moment)}`);
    const args = id === undefined ? STARTS[this.start] : ['resume', id];
    const forks = this.random.pick([4, 8, CONTROLLERS]);
    const victim = new Victim([...args, '-f', String(forks)], this.project.directory);
    const stop = this.#killAt(victim, moment);
    const death = await victim.ended;
    stop();
    await this.fleet.quiet();
    const repeated = this.fleet.written.map(keyOf).filter((write) => done.has(write));
    expect(repeated, 'written again, though known to be done').to.deep.equal([]);
    if (death.code === null) await this.#afterwards(size);
    return death;
  }

  /** @param session where the journal of the killed process begins */
  async #afterwards(session: number): Promise<void> {
    const id = await this.journal.run();
    if (id === undefined) return;
    const loss = someLoss(this.random);
    if (loss !== undefined) {
      this.#steps.push(`lost ${loss.toFixed(2)}`);
      await this.journal.lose(id, loss, session, this.fleet.sent);
    }
    await this.journal.read(id);
  }

  #killAt(victim: Victim, moment: Moment | undefined): () => void {
    const begun = performance.now();
    let seen = 0;
    const timer =
      moment?.type === 'start'
        ? setTimeout(() => void victim.kill(), moment.share * this.#startSeconds * 1000)
        : undefined;
    this.fleet.attend(async (isWrite, stage) => {
      if (seen === 0) this.#startSeconds = (performance.now() - begun) / 1000;
      if (moment?.type !== 'request') return void (seen += 1);
      if (stage !== moment.stage || (moment.only === 'writes' && !isWrite)) return;
      seen += 1;
      if (seen !== moment.nth) return;
      await victim.kill();
      if (stage === 'received' && moment.lost) throw new Error('lost on its way');
    });
    return () => {
      clearTimeout(timer);
    };
  }
}
