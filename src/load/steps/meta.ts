import type { Meta, MetaAction } from '../../model/playbook/step.js';
import { didYouMean } from '../../model/source/suggestion.js';
import type { Call } from '../task/call.js';
import { conditions } from '../keywords/conditions.js';
import { kindOf, type Cursor } from '../document/cursor.js';
import type { StepKind } from '../task/find_task_file.js';
import type { Inherited } from '../keywords/inherited.js';
import { META_ACTIONS } from '../keywords/keyword_table.js';
import { asHandler, META } from '../keywords/keywords.js';
import { searchPathLayer, type ReadContext } from '../task/read_context.js';
import { checkStepKeys } from '../task/step_call.js';
import { template } from '../document/templated.js';
import { names } from '../document/texts.js';
import { varsOf } from '../variables/vars.js';

/** `meta: ACTION`; undefined if it is none. */
export function loadMeta(
  cursor: Cursor,
  call: Call,
  context: ReadContext,
  outer: Inherited,
  kind: StepKind,
): Meta | undefined {
  checkStepKeys(cursor, call, kind === 'handlers' ? asHandler(META) : META, context.reader.modules);
  const name = template(cursor.get('name'));
  const layers = [
    ...outer.layers,
    ...varsOf(cursor.get('vars'), 'task vars', name === undefined ? 'vars of meta' : `vars of "${name.value}"`),
    searchPathLayer(context),
  ];
  const when = [...outer.when, ...(conditions(cursor.get('when')) ?? [])];
  const tags = [...new Set([...outer.tags, ...names(cursor.get('tags'))])];
  const action = actionOf(call);
  if (action === undefined) return undefined;
  if (kind === 'handlers' && action === 'flush_handlers') {
    call.cursor.error('"flush_handlers" cannot be a handler: it is what runs them');
    return undefined;
  }
  return { type: 'meta', action, name, role: context.role?.name, source: cursor.source, when, tags, layers };
}

function actionOf({ args, cursor }: Call): MetaAction | undefined {
  const listed = `it is one of ${META_ACTIONS.join(', ')}`;
  if (typeof args !== 'string') {
    cursor.errorAtKey(`"meta" takes the name of an action, not ${kindOf(args)}`, listed);
    return undefined;
  }
  const written = args.trim();
  const action = META_ACTIONS.find((one) => one === written);
  if (action !== undefined) return action;
  if (written === 'refresh_inventory') {
    cursor.error(
      '"refresh_inventory" is not possible: a run reads its inventory once, because preflight, confirmation and resume need its first state',
      'add new controllers with add_host, or move the plays after it to another playbook and start that with a second "evenkeel run"',
    );
  } else cursor.error(`there is no meta action "${written}"`, didYouMean(written, META_ACTIONS) ?? listed);
  return undefined;
}
