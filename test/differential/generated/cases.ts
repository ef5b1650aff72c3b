import { isDeepStrictEqual } from 'node:util';
import { ansibleAnswersNow } from '../rig/ansible_answers_now.js';
import type { Case } from '../rig/cases.js';
import type { Recording } from '../rig/recordings.js';
import { said } from './compare.js';
import { generate, written } from './generate.js';

/** The name of the recording. */
export const GENERATED = 'generated';

const [FIRST, COUNT] = [1, 40];

/** The cases of the gate; `search.ts` finds others. */
export const generatedCases: readonly Case[] = Array.from({ length: COUNT }, (_, index) =>
  written(generate(FIRST + index)),
);

/** @param before what was recorded, if anything was */
export async function ansibleRecording(before: Recording = {}): Promise<Recording> {
  const answers = await ansibleAnswersNow(generatedCases, (one, answer) => {
    const then = before[one.title];
    return then === undefined || isDeepStrictEqual(said(one, answer), said(one, then));
  });
  return Object.fromEntries(
    generatedCases.flatMap(({ title }, index) => {
      const answer = answers[index];
      return answer === undefined ? [] : [[title, answer]];
    }),
  );
}
