import { Variables } from '../../language/scope.js';
import type { StepEnd } from '../batch/batch_state.js';
import { Handlers } from '../batch/handlers.js';
import type { Barrier } from '../batch/strategy.js';
import type { ControllerState } from '../controllers/controller_state.js';
import { reportBrokenStep } from './broken_step.js';
import type { PlayContext } from './play_context.js';
import { ControllerWalk } from './walk.js';
import { firstVariables } from './walk_variables.js';

/** Runs the steps of the context on one controller; the caller handles the result. */
export async function walkThrough(context: PlayContext, state: ControllerState, barrier: Barrier): Promise<StepEnd> {
  await context.run.control.loopYielder.yieldLoop();
  const variables = await firstVariables(context, state);
  if (variables instanceof Variables)
    return new ControllerWalk(withOwnHandlers(context, barrier), state, barrier, variables).toTheEnd();
  const { source } = context.play.definition;
  reportBrokenStep(context, state, { title: 'vars_files', kind: 'vars_files', source, rescuable: false }, variables);
  context.batchState.lose(state.name, { round: barrier.round });
  return 'failed';
}

/** If controllers do not wait for each other, each looks first at the handlers that it included itself. */
function withOwnHandlers(context: PlayContext, { lockstep }: Barrier): PlayContext {
  return lockstep
    ? context
    : { ...context, handlers: new Handlers(context.play.definition.handlers, context.handlers) };
}
