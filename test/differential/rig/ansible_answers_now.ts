import { ansibleAnswers } from './ansible_answers.js';
import type { Answer } from './answer.js';
import type { Case } from './cases.js';

/** How often a case is asked. */
const TIMES = 4;

/**
 * What Ansible says by now to cases that it was asked before. Some answers depend on which of its processes is ahead, such as who gives a
 * `run_once` its result; so what is unlike before is asked again: if it really says something else now, it does so each time.
 */
export async function ansibleAnswersNow(
  cases: readonly Case[],
  isLikeBefore: (one: Case, answer: Answer) => boolean,
): Promise<readonly Answer[]> {
  const answers = [...(await ansibleAnswers(cases))];
  for (let time = 1; time < TIMES; time += 1) {
    const unlike = [...cases.entries()].filter(([index, one]) => !isLike(one, answers[index]));
    if (unlike.length === 0) break;
    const again = await ansibleAnswers(unlike.map(([, one]) => one));
    for (const [place, [index]] of unlike.entries()) answers.splice(index, 1, ...again.slice(place, place + 1));
  }
  return answers;

  function isLike(one: Case, answer: Answer | undefined): boolean {
    return answer !== undefined && isLikeBefore(one, answer);
  }
}
