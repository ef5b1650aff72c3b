import { ansibleAnswers } from '../rig/ansible_answers.js';
import type { Case } from '../rig/cases.js';
import type { Recording } from '../rig/recordings.js';
import { generate, written } from './generate.js';

/** The name of the recording. */
export const GENERATED = 'generated';

const [FIRST, COUNT] = [1, 40];

/** The cases that every change is tried with; `search.ts` finds others. */
export const generatedCases: readonly Case[] = Array.from({ length: COUNT }, (_, index) =>
  written(generate(FIRST + index)),
);

export async function ansibleRecording(): Promise<Recording> {
  const answers = await ansibleAnswers(generatedCases);
  return Object.fromEntries(
    generatedCases.flatMap(({ title }, index) => {
      const answer = answers[index];
      return answer === undefined ? [] : [[title, answer]];
    }),
  );
}
