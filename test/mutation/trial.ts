import { execFileSync, spawn } from 'node:child_process';
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

interface Report {
  readonly failures: readonly { readonly file?: string }[];
}

/** A copy of the project in which a source file may be changed. */
export class Trial {
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

  /** The result of the test files while a source file is changed. Its text is put back from memory: the project may have changed since. */
  async judge(file: string, text: string, mutant: string, tests: readonly string[], seconds: number): Promise<Outcome> {
    const place = path.join(this.folder, file);
    await writeFile(place, mutant);
    try {
      const isWhole = (await this.#compiles()) && (await this.#builds());
      return isWhole ? await this.run(tests, seconds, ['--bail']) : { type: 'broken' };
    } finally {
      await writeFile(place, text);
    }
  }

  async #compiles(): Promise<boolean> {
    const compiler = path.join(this.root, 'node_modules/@typescript/native/bin/tsc');
    for (const project of ['.', 'src/web']) {
      // `node_modules` is shared; what the compiler remembers of the sources must not be.
      const remembered = path.join(this.folder, `tsc-${path.basename(project)}.tsbuildinfo`);
      const words = [compiler, '--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', remembered];
      if (!(await this.#succeeds(words))) return false;
    }
    return true;
  }

  /** Many tests start the built command. */
  #builds(): Promise<boolean> {
    return this.#succeeds(['scripts/build.mjs', '--no-types']);
  }

  async #succeeds(words: readonly string[]): Promise<boolean> {
    const child = spawn(process.execPath, words, { cwd: this.folder, stdio: 'ignore' });
    return (await new Promise<number | null>((resolve) => child.on('close', resolve))) === 0;
  }

  async run(tests: readonly string[], seconds: number, options: readonly string[] = []): Promise<Outcome> {
    const report = path.join(this.folder, 'report.json');
    await rm(report, { force: true });
    const runner = path.join(this.folder, 'node_modules/mocha/bin/mocha.js');
    const words = ['--no-config', '--import=tsx', '--require', './test/rig/seed.ts', '--exit', '--timeout', '60000'];
    const output = ['--reporter', 'json', '--reporter-option', `output=${report}`];
    const child = spawn(process.execPath, [runner, ...words, ...output, ...options, ...tests], {
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
    return { type: 'failed', files: failures.map((file) => path.relative(this.folder, file)) };
  }
}

/** Empty if the changed file cannot even be loaded. */
async function failuresIn(report: string): Promise<readonly string[]> {
  try {
    const { failures } = JSON.parse(await readFile(report, 'utf8')) as Report;
    return [...new Set(failures.flatMap(({ file }) => file ?? []))];
  } catch {
    return [];
  }
}
