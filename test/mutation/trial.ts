import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type Outcome =
  | { readonly type: 'passed' }
  | { readonly type: 'failed'; readonly files: readonly string[] }
  /** Timed out: an endless loop, or a machine that is too busy. */
  | { readonly type: 'late' }
  /** It does not compile, or no test ran: whoever wrote it would have seen it. */
  | { readonly type: 'broken' };

/** A source file as it is, and with the mutant in it. */
export interface ChangedFile {
  readonly file: string;
  readonly text: string;
  readonly mutant: string;
}

/** The test files that may notice it: those that load the sources, and those that start the built command. */
export interface TestsOfChange {
  readonly loading: readonly string[];
  readonly starting: readonly string[];
}

/** Most mutants are noticed by one of these, and loading all takes longer than running them. */
const NEAREST = 6;

/** How many imports lead from one file to another. */
export type Distance = (from: string, to: string) => number | undefined;

interface Report {
  readonly failures: readonly { readonly file?: string; readonly err: { readonly message?: string } }[];
}

/** A copy of the project in which a source file may be changed. */
export class Trial {
  /** The built command has a mutant in it. */
  #isStale = false;

  private constructor(
    private readonly root: string,
    private readonly folder: string,
  ) {}

  static async start(root: string): Promise<Trial> {
    const folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-mutants-'));
    const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
    for (const name of listed.split('\0').filter((one) => one !== '')) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await cp(path.join(root, name), path.join(folder, name), { preserveTimestamps: true });
    }
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const trial = new Trial(root, folder);
    await trial.#builds();
    return trial;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  /**
   * The result of the test files while a source file is changed: first those that need no build of it, which takes seconds.
   * Its text is put back from memory: the project may have changed since.
   */
  async judge(change: ChangedFile, { loading, starting }: TestsOfChange, seconds: number): Promise<Outcome> {
    await this.#write(change, change.mutant);
    try {
      for (const tests of [loading.slice(0, NEAREST), loading.slice(NEAREST)]) {
        const outcome = await this.#runsAny(tests, seconds);
        if (outcome.type !== 'passed') return outcome;
      }
      if (starting.length === 0) return { type: 'passed' };
      this.#isStale = true;
      return (await this.#builds()) ? await this.#runsAny(starting, seconds) : { type: 'broken' };
    } finally {
      await this.#write(change, change.text);
    }
  }

  /**
   * Those that the compiler accepts, tried all at once because it takes long. One is refused where errors are, else nearest to
   * them.
   *
   * @param all of different files
   */
  async compiling<T extends ChangedFile>(all: readonly T[], distance: Distance): Promise<readonly T[]> {
    const left = new Set(all);
    for (const one of all) await this.#write(one, one.mutant);
    for (let wrong = this.#errors(); wrong.length > 0; wrong = this.#errors()) {
      const refused = [...left].filter(({ file }) => wrong.includes(file));
      const near = (one: T): number => Math.min(...wrong.map((file) => distance(file, one.file) ?? Infinity));
      if (refused.length === 0) refused.push(...[...left].sort((a, b) => near(a) - near(b)).slice(0, 1));
      if (refused.length === 0) throw new Error(`without a mutant there are errors in ${wrong.join(', ')}`);
      for (const one of refused) {
        left.delete(one);
        await this.#write(one, one.text);
      }
    }
    for (const one of left) await this.#write(one, one.text);
    return [...left];
  }

  /** Whether a test file passes without a mutant. */
  async passes(test: string, seconds: number): Promise<boolean> {
    if (this.#isStale) this.#isStale = !(await this.#builds());
    return (await this.run([test], seconds)).type === 'passed';
  }

  async #runsAny(tests: readonly string[], seconds: number): Promise<Outcome> {
    return tests.length === 0 ? { type: 'passed' } : this.run(tests, seconds, ['--bail']);
  }

  #write({ file }: ChangedFile, text: string): Promise<void> {
    return writeFile(path.join(this.folder, file), text);
  }

  /** The files in which the compiler finds errors. */
  #errors(): readonly string[] {
    const compiler = path.join(this.root, 'node_modules/@typescript/native/bin/tsc');
    const wrong = new Set<string>();
    for (const project of ['.', 'src/web']) {
      // `node_modules` is shared; what the compiler remembers of the sources must not be.
      const remembered = path.join(this.folder, `tsc-${path.basename(project)}.tsbuildinfo`);
      const words = [compiler, '--noEmit', '--pretty', 'false', '-p', project];
      const memory = ['--incremental', '--tsBuildInfoFile', remembered];
      const { stdout } = spawnSync(process.execPath, [...words, ...memory], { cwd: this.folder, encoding: 'utf8' });
      for (const [, file = ''] of stdout.matchAll(/^(\S+?)\(\d+,\d+\): error /gm)) wrong.add(path.normalize(file));
    }
    return [...wrong];
  }

  /** Many tests start the built command. */
  #builds(): Promise<boolean> {
    return this.#succeeds(['scripts/build.mjs']);
  }

  async #succeeds(words: readonly string[]): Promise<boolean> {
    const child = spawn(process.execPath, words, { cwd: this.folder, stdio: 'ignore' });
    return (await new Promise<number | null>((resolve) => child.on('close', resolve))) === 0;
  }

  async run(tests: readonly string[], seconds: number, options: readonly string[] = []): Promise<Outcome> {
    const report = path.join(this.folder, 'report.json');
    await rm(report, { force: true });
    const runner = path.join(this.folder, 'node_modules/mocha/bin/mocha.js');
    const node = ['--import=tsx', '--no-experimental-require-module'];
    const words = ['--no-config', '--require', './test/rig/seed.ts', '--exit', '--timeout', '60000'];
    const output = ['--reporter', 'json', '--reporter-option', `output=${report}`];
    const child = spawn(process.execPath, [...node, runner, ...words, ...output, ...options, ...tests], {
      cwd: this.folder,
      stdio: 'ignore',
      // With what it started: a test may wait for a command.
      detached: true,
    });
    const code = await new Promise<number | null>((resolve) => {
      const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), seconds * 1000);
      child.on('close', (status) => {
        clearTimeout(timer);
        resolve(status);
      });
    });
    if (code === 0) return { type: 'passed' };
    if (code === null) return { type: 'late' };
    const failures = await failuresIn(report);
    if (failures.length === 0) return { type: 'broken' };
    const noticed = failures.filter(({ err }) => !/^Timeout of \d+ms exceeded/.test(err.message ?? ''));
    if (noticed.length === 0) return { type: 'late' };
    const files = new Set(noticed.flatMap(({ file }) => file ?? []));
    return { type: 'failed', files: [...files].map((file) => path.relative(this.folder, file)) };
  }
}

/** Empty if the changed file cannot even be loaded. */
async function failuresIn(report: string): Promise<Report['failures']> {
  try {
    const { failures } = JSON.parse(await readFile(report, 'utf8')) as Report;
    return failures;
  } catch {
    return [];
  }
}
