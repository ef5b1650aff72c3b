import { nearestName } from '../../model/source/suggestion.js';
import { isMapping, type Value } from '../../model/values/value.js';
import { PLAIN_ACTIONS } from '../../module/contract.js';
import { hasTemplate } from '../../template/template.js';
import { layersOf } from '../layers.js';
import { definedNames, namesRead } from '../names.js';
import type { Remark, Rule } from '../rule.js';
import { tasksOf, type Subject } from '../subject.js';
import { piecesOf, piecesOfLayer, type Piece } from '../texts.js';

export const undefinedVariable: Rule = {
  name: 'undefined-variable',
  reason: 'A variable that nothing defines fails on the first controller that needs it.',
  severity: 'error',
  *check(subject) {
    if (!isSure(subject)) return;
    const defined = definedNames(subject);
    for (const { step } of subject.plays.flatMap(({ steps, handlers }) => [...steps, ...handlers])) {
      yield* undefinedIn(piecesOf(step, subject), defined);
    }
    for (const layer of layersOf(subject)) yield* undefinedIn(piecesOfLayer(layer, subject), defined);
  },
};

/** Whether all that may define a variable is known, but for the command line. */
function isSure(subject: Subject): boolean {
  const { complete, plays, inventories, modules } = subject;
  const actions = [...tasksOf(subject)].filter(({ step }) => modules.get(step.module)?.type === 'action');
  return (
    complete &&
    inventories.length > 0 &&
    plays.every(({ play }) => play.variableFiles.length === 0) &&
    actions.every(({ step: { module, args } }) => PLAIN_ACTIONS.has(module) && !isOpen(module, args))
  );
}

/** Whether the names that a task sets are templates. */
function isOpen(module: string, args: Value): boolean {
  return module === 'set_fact' && isMapping(args) && Object.keys(args).some(hasTemplate);
}

/** What is looked at with `is defined` anywhere in a step may be missing in all of it. */
function* undefinedIn(pieces: readonly Piece[], defined: ReadonlySet<string>): Generator<Remark> {
  const { guarded } = namesRead(pieces.map(({ expression }) => expression));
  for (const { expression, source, names } of pieces) {
    for (const name of namesRead([expression]).read) {
      if (defined.has(name) || guarded.has(name) || names?.has(name) === true || /^(?:ansible|evenkeel)_/.test(name))
        continue;
      yield remark(name, source(), defined);
    }
  }
}

function remark(name: string, source: Remark['source'], defined: ReadonlySet<string>): Remark {
  const nearest = nearestName(name, [...defined]);
  const message = `nothing defines the variable "${name}"`;
  if (nearest !== undefined) return { message, source, hint: `did you mean "${nearest}"?` };
  const hint = 'if it comes with -e, give lint the same -e; else define it, or write "| default(…)"';
  return { message, source, hint, severity: 'warning' };
}
