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
import { Trial } from './trial.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Percent of the mutants that must be noticed. With 60 mutants and seed 7, 62 % were; half of the survivors change nothing that matters. */
const LEAST = 55;
const SECONDS_EACH = Number(process.env['EVENKEEL_MUTANT_SECONDS'] ?? 180);
/** They take long, measure what was built, or try mutants themselves. */
const LEFT_OUT = /^test\/(?:(?:crash|mutation)\/|docs\/commands|core\/secrets\/planted|program\/start\.)/;

interface Judged {
  readonly mutant: Mutant;
  readonly verdict: 'noticed' | 'late' | 'survived' | 'not loaded' | 'broken';
  /** The test file that noticed it. */
  readonly by?: string | undefined;
}

const [count = 60, seed = 1] = process.argv.slice(2).map(Number);
const tests = typescriptIn('test').filter((name) => name.endsWith('.test.ts') && !LEFT_OUT.test(name));
const chosen = new ChosenTests(ROOT, tests, new Covering(ROOT, tests));
const texts = new Map(['src', 'modules'].flatMap(typescriptIn).map((file) => [file, textOf(file)]));
const shuffled = shuffle([...texts].flatMap(([file, text]) => mutantsOf(file, text)));

const judged = await judgeAll();
const late = judged.filter(({ verdict }) => verdict === 'late');
const noticed = judged.filter(({ verdict }) => verdict === 'noticed').length;
const percent = Math.round((100 * noticed) / Math.max(1, judged.length));
const broken = await brokenTests();
for (const file of broken) print(`fails without a mutant: ${file}`);
print(
  `seed ${seed}: ${noticed} of ${judged.length} mutants noticed, ${percent} % (at least ${LEAST} %), ${late.length} ran out of time`,
);
process.exitCode = percent < LEAST || broken.length > 0 ? 1 : 0;

/** Until so many were tried: what is broken counts for nothing, and another is tried in its place. */
async function judgeAll(): Promise<readonly Judged[]> {
  const [waiting, found] = [[...shuffled], new Array<Judged>()];
  let left = count;
  const worker = async (): Promise<void> => {
    const trial = await Trial.start(ROOT);
    for (let mutant = waiting.shift(); mutant !== undefined && left > 0; mutant = waiting.shift()) {
      left -= 1;
      const one = await judge(trial, mutant);
      if (one.verdict === 'broken') left += 1;
      else found.push(one);
      if (one.verdict !== 'noticed' && one.verdict !== 'broken')
        print(`${one.verdict}: ${shown(texts.get(mutant.file) ?? '', mutant)}`);
      process.stderr.write(`${found.length}/${count} ${one.verdict} ${mutant.file} ${one.by ?? ''}\n`);
    }
    await trial.remove();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return found;
}

async function judge(trial: Trial, mutant: Mutant): Promise<Judged> {
  const text = texts.get(mutant.file) ?? '';
  const likely = chosen.for(mutant.file, mutant.functions);
  if (likely.length === 0) return { mutant, verdict: 'not loaded' };
  const outcome = await trial.judge(mutant.file, text, mutated(text, mutant), likely, SECONDS_EACH);
  switch (outcome.type) {
    case 'passed':
      return { mutant, verdict: 'survived' };
    case 'failed':
      return { mutant, verdict: 'noticed', by: outcome.files[0] };
    case 'late':
    case 'broken':
      return { mutant, verdict: outcome.type };
    default:
      return outcome satisfies never;
  }
}

/** A test that fails anyway notices nothing. */
async function brokenTests(): Promise<readonly string[]> {
  const files = [...new Set(judged.flatMap(({ by }) => by ?? []))];
  if (files.length === 0) return [];
  const trial = await Trial.start(ROOT);
  const outcome = await trial.run(files, files.length * 60);
  await trial.remove();
  return outcome.type === 'failed' ? outcome.files : outcome.type === 'passed' ? [] : files;
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
