import { ansibleAnswers } from './ansible_answers.js';
import type { Answer } from './answer.js';
import type { Case } from './cases.js';

/**
 * What Ansible says by now to cases that it was asked before. It has answered amiss once in some thousand answers, for reasons of its
 * own; so what is unlike before is asked again: if it really says something else now, it does so twice.
 */
export async function ansibleAnswersNow(
  cases: readonly Case[],
  isLikeBefore: (one: Case, answer: Answer) => boolean,
): Promise<readonly Answer[]> {
  const answers = await ansibleAnswers(cases);
  const unlike = cases.filter((one, index) => answers[index] === undefined || !isLikeBefore(one, answers[index]));
  if (unlike.length === 0) return answers;
  const second = await ansibleAnswers(unlike);
  return cases.flatMap((one, index) => second[unlike.indexOf(one)] ?? answers[index] ?? []);
}
