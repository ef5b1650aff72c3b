import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { whyFailed, makeFolder } from '../../core/files/paths.js';
import { encodedPart } from '../../core/model/values/uri.js';
import type { LoadKinds } from '../../kinds/kind_table.js';
import { openKey, Sealer } from '../../record/journal/format/project_key.js';
import { JournalError } from '../../record/journal/format/run_folders.js';
import { LockFolder } from '../../record/locks/lock_folder.js';
import { Locks, type LockConflict } from '../../record/locks/locks.js';
import { accountName, ownIdentity } from '../../record/locks/process_identity.js';
import { nameSome } from '../../reporting/text/words.js';
import { Simulator } from '../../simulator/simulator.js';

interface ProjectSimulatorOptions {
  readonly kinds: LoadKinds;
  /** Those to claim, as far as they are known. Of others, only a new state is stored. */
  readonly controllers: Iterable<string>;
  /** What simulates them, for the messages of other processes. */
  readonly command: string;
}

/** The simulated controllers of a project. Their state is sealed in its state folder, because objects contain passwords. */
export class ProjectSimulator {
  private constructor(
    readonly simulator: Simulator,
    /** Absent: they keep no state. */
    private readonly kept: { readonly folder: string; readonly locks: Locks } | undefined,
  ) {}

  /**
   * @param stateDirectory absent: they keep their state in memory
   * @throws JournalError if the state cannot be stored there or sealed, or another process simulates one of the controllers
   */
  static async start(
    stateDirectory: string | undefined,
    { kinds, controllers, command }: ProjectSimulatorOptions,
  ): Promise<ProjectSimulator> {
    if (stateDirectory === undefined)
      return new ProjectSimulator(await Simulator.start({ log: false, kinds }), undefined);
    const folder = path.join(stateDirectory, 'simulator');
    return storingIn(folder, async () => {
      const seal = new Sealer(await openKey(stateDirectory), 'simulator');
      await makeFolder(folder);
      const locks = await openLocks(path.join(folder, 'locks'), command);
      const isOwn = (name: string): boolean => locks.has(name);
      const simulator = await Simulator.start({ stateDirectory: folder, seal, isOwn, log: false, kinds });
      const own = new ProjectSimulator(simulator, { folder, locks });
      await own.claim(controllers);
      return own;
    });
  }

  /**
   * Keeps other processes from these controllers: each would replace the objects that the other one writes.
   *
   * @throws JournalError if another process has one of them
   */
  async claim(controllers: Iterable<string>): Promise<void> {
    if (this.kept === undefined) return;
    const { folder, locks } = this.kept;
    const claimed = await storingIn(folder, () => locks.acquire(controllers));
    const [conflict] = claimed.status === 'refused' ? claimed.conflicts : [];
    if (conflict !== undefined) throw simulatedElsewhere(conflict);
  }

  /**
   * Claims a controller that is started. Another process may have changed it since.
   *
   * @throws JournalError if another process has it
   */
  async claimLate(name: string): Promise<void> {
    await this.claim([name]);
    await this.simulator.reload(name);
  }

  /**
   * Stores the certificate of the authority that clients of simulated controllers must trust. Returns its file: each process has another
   * authority, and scripts name the file of the usual one.
   *
   * @param controller one that no other process simulates
   * @throws JournalError if it cannot be written
   */
  async writeAuthority(controller: string): Promise<string> {
    if (this.kept === undefined) throw new Error('these simulated controllers keep nothing');
    const { folder, locks } = this.kept;
    return storingIn(folder, async () => {
      const isUsual = (await locks.acquire([AUTHORITY_PLACE])).status === 'held';
      const file = path.join(folder, isUsual ? AUTHORITY : `ca-${encodedPart(controller).slice(0, LONGEST_NAME)}.pem`);
      await writeFile(file, this.simulator.ca, { mode: 0o600 });
      return file;
    });
  }

  /**
   * Stops the controllers after their state is on disk.
   *
   * @throws JournalError if it cannot be written
   */
  async close(): Promise<void> {
    if (this.kept === undefined) return this.simulator.close();
    const { folder, locks } = this.kept;
    try {
      await storingIn(folder, () => this.simulator.close());
    } finally {
      await locks.release();
    }
  }
}

async function openLocks(folder: string, command: string): Promise<Locks> {
  const holder = {
    run: randomUUID(),
    process: ownIdentity(),
    user: accountName(),
    command,
    since: new Date().toISOString(),
  };
  return new Locks({ folder: await LockFolder.open(folder, { own: false }), holder });
}

const MOST_NAMES = 3;
const AUTHORITY = 'ca.pem';
/** No controller has this name. */
const AUTHORITY_PLACE = `/${AUTHORITY}`;
/** File systems allow 255 bytes. */
const LONGEST_NAME = 200;

function simulatedElsewhere({ holder, file, places, elsewhere }: LockConflict): JournalError {
  if (holder === undefined) {
    const message = `the lock ${file} cannot be understood, so another process may simulate these controllers`;
    return new JournalError(message, 'remove it if no other simulation is active');
  }
  const { command, process } = holder;
  const which = `${nameSome(places, MOST_NAMES)} ${places.length === 1 ? 'is' : 'are'}`;
  const message = `${which} already simulated by ${command} (process ${process.pid} on ${process.host})`;
  const ended = elsewhere ? `; if that process has ended, remove ${file}` : '';
  return new JournalError(message, `end it first, or name another state folder with EVENKEEL_STATE_DIR${ended}`);
}

async function storingIn<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof JournalError) throw error;
    const message = `cannot keep the state of simulated controllers in ${folder}: ${whyFailed(error)}`;
    throw new JournalError(message, 'state_dir in evenkeel.yml, or EVENKEEL_STATE_DIR, names another folder');
  }
}
