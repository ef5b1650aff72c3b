import { expect } from 'chai';
import fc from 'fast-check';
import type { Diagnostic, Source } from '../../../src/core/model/source/diagnostic.js';
import { SEED } from '../../rig/random_seed.js';
import { Watchdog } from './watchdog.js';

/** `EVENKEEL_SEED` and `FUZZ_RUNS` (a factor) test more inputs. */
const FACTOR = Number(process.env['FUZZ_RUNS'] ?? 1);

/** What may be thrown: errors that are made for users. */
type Known = readonly (abstract new (...args: never) => Error)[];

/** Tests many inputs. Shows a failing input with the seed, as small as possible. */
export class Fuzz {
  readonly #watchdog = new Watchdog();

  /** `act` must return a result or throw one of `known`, and must not change `Object.prototype`. */
  async try(
    inputs: fc.Arbitrary<string>,
    runs: number,
    act: (input: string) => unknown,
    known: Known = [],
  ): Promise<void> {
    const property = fc.asyncProperty(inputs, async (input) => {
      this.#watchdog.begin(input);
      try {
        await act(input);
      } catch (error) {
        if (!known.some((one) => error instanceof one)) throw error;
        expect(String(error)).to.match(/\S/);
      }
      requireUnpolluted();
    });
    await fc.assert(property, { seed: SEED, numRuns: Math.ceil(runs * FACTOR) });
  }

  stop(): Promise<void> {
    return this.#watchdog.stop();
  }
}

function requireUnpolluted(): void {
  const empty: object = {};
  for (const name in empty) throw new Error(`every object has "${name}" now`);
  expect('polluted' in empty, 'every object is polluted').to.equal(false);
}

/** Every error has a message, and its position, if any, is in its file. */
export function requireSense(found: readonly Diagnostic[], texts: Readonly<Record<string, string>> = {}): void {
  for (const { message, source } of found) {
    expect(message).to.match(/\S/);
    if (source !== undefined) requirePlace(source, texts[source.file]);
  }
}

function requirePlace({ line, column }: Source, text: string | undefined): void {
  expect(line).to.be.at.least(1);
  expect(column).to.be.at.least(1);
  if (text !== undefined) expect(line).to.be.at.most(text.split(/\r\n?|\n/).length + 1);
}
