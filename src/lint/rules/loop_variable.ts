import type { Loop, Step } from '../../model/playbook/step.js';
import { placeText } from '../../model/source/source.js';
import type { Rule } from '../rule.js';

export const loopVariable: Rule = {
  name: 'loop-variable',
  reason: 'A loop inside a loop with the same variable hides the outer item.',
  severity: 'error',
  *check({ plays }) {
    for (const { step, around } of plays.flatMap(({ steps }) => steps)) {
      const loop = loopOf(step);
      const outer = loop && around.map(loopOf).find((one) => one?.variable === loop.variable);
      if (loop === undefined || outer === undefined) continue;
      yield {
        message: `"${loop.variable}" is the variable of the loop around this one too, at ${placeText(outer.over.source)}; in here, the outer item is hidden`,
        source: loop.over.source,
        hint: 'give one of them another: loop_control: { loop_var: … }',
      };
    }
  },
};

function loopOf(step: Step): Loop | undefined {
  return step.type === 'role' || step.type === 'meta' ? undefined : step.loop;
}
