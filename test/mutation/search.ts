/**
 * Makes small mistakes in the sources and shows those that no test notices: `npm run mutants -- [COUNT] [SEED]`. Runs only test files that
 * call the changed function, so the whole suite may still notice a survivor: check before you write a test.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Random } from '../crash/random.js';
import { ChosenTests } from './chosen_tests.js';
import { Covering } from './covering.js';
import { mutantsOf, mutated, shown, type Mutant } from './mutants.js';
import { Trial, type ChangedFile } from './trial.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Percent of the mutants that must be noticed. The others change nothing that matters, run out of time, or lack a test: read each. */
const LEAST = 80;
const SECONDS_EACH = Number(process.env['EVENKEEL_MUTANT_SECONDS'] ?? 300);
/** They take long, measure what was built, or try mutants themselves. */
const LEFT_OUT = /^test\/(?:(?:crash|mutation)\/|docs\/commands|core\/secrets\/planted|program\/start\.)/;

interface Tried extends ChangedFile {
  readonly of: Mutant;
}

interface Judged {
  readonly verdict: 'noticed' | 'late' | 'survived' | 'not loaded' | 'broken';
  /** The test file that noticed it. */
  readonly by?: string | undefined;
}

const [count = 60, seed = 1] = process.argv.slice(2).map(Number);
const tests = typescriptIn('test').filter((name) => name.endsWith('.test.ts') && !LEFT_OUT.test(name));
const covering = new Covering(ROOT, tests);
const chosen = new ChosenTests(ROOT, tests, covering);
const texts = new Map(['src', 'modules'].flatMap(typescriptIn).map((file) => [file, textOf(file)]));
const shuffled = shuffle([...texts].flatMap(([file, text]) => mutantsOf(file, text)));

/** The test files that pass without a mutant, as far as that was tried, and those that fail. */
const [sound, broken] = [new Set<string>(), new Set<string>()];
const judged = await judgeAll();
const late = judged.filter(({ verdict }) => verdict === 'late');
const noticed = judged.filter(({ verdict }) => verdict === 'noticed').length;
const percent = Math.round((100 * noticed) / Math.max(1, judged.length));
for (const file of broken) print(`fails without a mutant: ${file}`);
print(
  `seed ${seed}: ${noticed} of ${judged.length} mutants noticed, ${percent} % (at least ${LEAST} %), ${late.length} ran out of time`,
);
process.exitCode = percent < LEAST || broken.size > 0 ? 1 : 0;

/** Until so many were tried: what is broken counts for nothing, and another is tried in its place. */
async function judgeAll(): Promise<readonly Judged[]> {
  const [waiting, found] = [[...shuffled], new Array<Judged>()];
  // Each is a copy of the project with a build of its own.
  const most = Math.min(count, availableParallelism());
  const trials = await Promise.all(Array.from({ length: most }, () => Trial.start(ROOT)));
  while (found.length < count && waiting.length > 0) {
    const batch = await trials[0]?.compiling(nextBatch(waiting), (from, to) => covering.distance(from, to));
    const left = (batch ?? []).slice(0, count - found.length);
    await Promise.all(trials.map((trial) => judgeNext(trial, left, found)));
  }
  await Promise.all(trials.map((trial) => trial.remove()));
  return found;
}

/** One after the other, while other trials take from the same list. */
async function judgeNext(trial: Trial, left: Tried[], found: Judged[]): Promise<void> {
  for (let one = left.shift(); one !== undefined; one = left.shift()) {
    const judged = await judge(trial, one);
    if (judged.verdict === 'broken') continue;
    found.push(judged);
    if (judged.verdict !== 'noticed') print(`${judged.verdict}: ${shown(one.text, one.of)}`);
    process.stderr.write(`${found.length}/${count} ${judged.verdict} ${one.file} ${judged.by ?? ''}\n`);
  }
}

/** Takes the first of each file. */
function nextBatch(waiting: Mutant[]): readonly Tried[] {
  const batch = new Map<string, Tried>();
  for (const of of [...waiting].slice(0, 2 * count)) {
    const { file } = of;
    if (batch.has(file)) continue;
    waiting.splice(waiting.indexOf(of), 1);
    const text = texts.get(file) ?? '';
    batch.set(file, { file, text, mutant: mutated(text, of), of });
  }
  return [...batch.values()];
}

async function judge(trial: Trial, tried: Tried): Promise<Judged> {
  const { loading, starting } = chosen.for(tried.file, tried.of.functions);
  const likely = { loading: loading.filter(isSound), starting: starting.filter(isSound) };
  if (likely.loading.length + likely.starting.length === 0) return { verdict: 'not loaded' };
  const outcome = await trial.judge(tried, likely, SECONDS_EACH);
  switch (outcome.type) {
    case 'passed':
      return { verdict: 'survived' };
    case 'failed': {
      // A test that fails anyway notices nothing.
      const failing = await failingAnyway(trial, outcome.files);
      return failing.length === 0 ? { verdict: 'noticed', by: outcome.files[0] } : judge(trial, tried);
    }
    case 'late':
    case 'broken':
      return { verdict: outcome.type };
    default:
      return outcome satisfies never;
  }
}

function isSound(file: string): boolean {
  return !broken.has(file);
}

async function failingAnyway(trial: Trial, files: readonly string[]): Promise<readonly string[]> {
  const failing: string[] = [];
  for (const file of files.filter((one) => !sound.has(one))) {
    if (await trial.passes(file, SECONDS_EACH)) sound.add(file);
    else failing.push(file);
  }
  for (const file of failing) broken.add(file);
  return failing;
}

function shuffle(all: readonly Mutant[]): readonly Mutant[] {
  const [random, left, shuffled] = [new Random(seed), [...all], new Array<Mutant>()];
  const most = Math.min(left.length, 20 * count);
  while (shuffled.length < most) shuffled.push(...left.splice(random.between(0, left.length - 1), 1));
  return shuffled;
}

function typescriptIn(folder: string): readonly string[] {
  const names = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /(?<!\.d)\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`)
    .sort();
}

function textOf(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
