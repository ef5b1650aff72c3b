import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Covering } from './covering.js';
import type { TestsOfChange } from './trial.js';

const { TEST_FILES } = createRequire(import.meta.url)('../../.ci/test_files.cjs') as {
  /** Path from the folder of tests → seconds of the processors. */
  readonly TEST_FILES: ReadonlyMap<string, number>;
};

/** How many seconds of the processors the tests of a mutant may take. */
const SECONDS_EACH = 30;
/**
 * The test written for a file runs, however long it takes; of the others, none that takes longer. The only tests of some features take
 * eleven.
 */
const LONGEST = 12;
/** Tests change slowly: what they called a week ago is a good guess of what they call now. */
const DAYS_KEPT = 7;

/** Which test files may notice a change, by what they call: noted once by running all of them. */
export class ChosenTests {
  /** `FILE` and `FILE#FUNCTION` → the test files that call it. */
  readonly #reached: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(
    private readonly root: string,
    private readonly tests: readonly string[],
    private readonly covering: Covering,
  ) {
    this.#reached = reachedIn(noted(root));
  }

  /**
   * The most specific first. Where no test calls any of the functions, those that load the file.
   *
   * @param functions the function that is changed, then those around it
   */
  for(file: string, functions: readonly string[]): TestsOfChange {
    const loading = this.covering.of(file);
    const key = functions.map((name) => `${file}#${name}`).find((one) => this.#reached.has(one)) ?? file;
    const calling = this.#reached.get(key) ?? new Set();
    // A test that is newer than the notes is found by what it loads.
    const found = [...loading.slice(0, 5), ...this.#cheapestFirst([...calling]), ...this.#ofCommands(file)];
    const chosen = this.#affordable([...new Set(found)]);
    const isBuilt = (test: string): boolean => this.#startsCommand(test);
    return { loading: chosen.filter((test) => !isBuilt(test)), starting: chosen.filter(isBuilt) };
  }

  #affordable(files: readonly string[]): readonly string[] {
    let left = SECONDS_EACH;
    return files.filter((file, at) => {
      const seconds = this.#seconds(file);
      if (at > 0 && (seconds > left || seconds > LONGEST)) return false;
      left -= seconds;
      return true;
    });
  }

  /** Tests that start the built command, which has the mutant in it, call nothing themselves. */
  #ofCommands(file: string): readonly string[] {
    const folder = `test/${file.split('/')[1] ?? ''}/`;
    const starting = this.tests.filter((test) => this.#startsCommand(test));
    return [
      ...this.#cheapestFirst(starting.filter((test) => test.startsWith(folder))),
      ...this.#cheapestFirst(starting.filter((test) => test.startsWith('test/cli/'))),
    ];
  }

  #cheapestFirst(files: readonly string[]): readonly string[] {
    return files.filter((file) => this.tests.includes(file)).toSorted((a, b) => this.#seconds(a) - this.#seconds(b));
  }

  #seconds(file: string): number {
    return TEST_FILES.get(file.replace(/^test\//, '')) ?? 1;
  }

  #startsCommand(test: string): boolean {
    const uses = (rig: string): boolean => this.covering.distance(test, `test/rig/${rig}.ts`) !== undefined;
    return uses('command') || uses('page') || readFileSync(path.join(this.root, test), 'utf8').includes('dist/');
  }
}

type Noted = readonly [test: string, called: Readonly<Record<string, readonly string[]>>];

function reachedIn(all: readonly Noted[]): ReadonlyMap<string, ReadonlySet<string>> {
  const reached = new Map<string, Set<string>>();
  for (const [test, called] of all)
    for (const [file, functions] of Object.entries(called))
      for (const key of [file, ...functions.map((name) => `${file}#${name}`)])
        reached.set(key, (reached.get(key) ?? new Set()).add(test));
  return reached;
}

/** Runs all tests, which takes minutes, where that was not done lately. */
function noted(root: string): readonly Noted[] {
  const file = path.join(root, 'node_modules/.cache/evenkeel-reached.jsonl');
  if (!existsSync(file) || Date.now() - statSync(file).mtimeMs > DAYS_KEPT * 24 * 3_600_000) {
    mkdirSync(path.dirname(file), { recursive: true });
    rmSync(file, { force: true });
    // Not only the share of the slow ones that a change runs.
    const env = { ...process.env, EVENKEEL_TEST_REACHED: file, EVENKEEL_TESTS: 'all' };
    try {
      execFileSync('npm', ['test'], { cwd: root, env, stdio: 'ignore' });
    } catch {
      // A test that fails calls what it calls.
    }
  }
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Noted);
}
