import { beginsLikeConnection, CONNECTION_NAMES } from '../../core/model/inventory/connection_variables.js';
import type { Loop, Step } from '../../core/model/playbook/step.js';
import { placeText, type Source } from '../../core/model/source/diagnostic.js';
import { likelyTypo, nearestName } from '../../core/model/source/suggestion.js';
import { isMapping, type Value } from '../../core/model/values/value.js';
import { hasTemplate } from '../../language/syntax/template.js';
import { PLAIN_ACTIONS } from '../../module/contract.js';
import { allLayers, definedNames, MAGIC_NAMES, namesRead } from '../subject/names.js';
import { piecesOfLayer, stepPieces, type Piece } from '../subject/pieces.js';
import {
  allTasks,
  callsModule,
  placedSteps,
  parsedCondition,
  writtenConditions,
  type LintSubject,
  type PlacedStep,
  type Remark,
  type Rule,
} from '../subject/subject.js';

export const undefinedVariable: Rule = {
  name: 'undefined-variable',
  reason: 'A variable that nothing defines fails on the first controller that needs it.',
  severity: 'error',
  *check(subject) {
    if (!isSure(subject)) return;
    const defined = definedNames(subject);
    const layers = [...allLayers(subject)].map((layer) => piecesOfLayer(layer, subject));
    const tested = guardedIn(layers.flat());
    for (const { step, around } of placedSteps(subject)) {
      const pieces = stepPieces(step, subject);
      // The steps of an include run only under its conditions.
      const above = around.flatMap((one) => (one.type === 'include' ? writtenConditions(one, subject) : []));
      const guarded = guardedIn([...pieces, ...above]);
      for (const name of guarded) tested.add(name);
      yield* undefinedIn(pieces, defined, guarded);
    }
    // A variable is rendered only for a task, which may have tested what the variable needs.
    for (const pieces of layers) yield* undefinedIn(pieces, defined, tested);
  },
};

/** Whether everything that may define a variable is known, except for the command line. */
function isSure(subject: LintSubject): boolean {
  const { complete, plays, inventories, modules } = subject;
  const actions = allTasks(subject).filter(({ step }) => modules.get(step.module)?.type === 'action');
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

/** What a run sets, some of it only in some tasks. */
const OF_RUNS = /^(?:vars$|ansible_|evenkeel_)/;

/** A name that is tested with `is defined` anywhere in a step may be undefined in the whole step. */
function guardedIn(pieces: readonly Pick<Piece, 'expression'>[]): Set<string> {
  return namesRead(pieces.map(({ expression }) => expression)).guarded;
}

function* undefinedIn(
  pieces: readonly Piece[],
  defined: ReadonlySet<string>,
  guarded: ReadonlySet<string>,
): Generator<Remark> {
  for (const { expression, source, names } of pieces) {
    for (const name of namesRead([expression]).read) {
      if (defined.has(name) || guarded.has(name) || names?.has(name) === true || OF_RUNS.test(name)) continue;
      yield remark(name, source(), defined);
    }
  }
}

function remark(name: string, source: Remark['source'], defined: ReadonlySet<string>): Remark {
  const nearest = nearestName(name, [...defined]);
  const message = `nothing defines the variable "${name}"`;
  if (nearest !== undefined) return { message, source, hint: `did you mean "${nearest}"?` };
  const hint = 'if it is passed with -e, pass the same -e to lint; otherwise define it, or write "| default(…)"';
  return { message, source, hint, severity: 'warning' };
}

/** These can compute the name of a variable, or use those that a file of templates names. */
const DYNAMIC =
  /\bvars\s*\[|(?:lookup|query|q)\s*\(?\s*["'](?:[\w.]+\.)?(?:vars|template)["']|\bhostvars\b|with_template\b/;

/** A run ignores it, and takes the default of the variable that is meant. */
export const misspeltConnection: Rule = {
  name: 'misspelt-connection',
  reason: 'A run ignores a misspelt connection variable, and takes the default instead.',
  severity: 'warning',
  *check(subject) {
    const used = namesUsed(subject);
    if (used === undefined) return;
    const known = [...CONNECTION_NAMES];
    const judged = new Set([...known, ...used]);
    for (const { values, locate } of allLayers(subject)) {
      for (const name of Object.keys(values)) {
        if (locate === undefined || !beginsLikeConnection(name) || judged.has(name)) continue;
        judged.add(name);
        const nearest = likelyTypo(name, known);
        if (nearest === undefined) continue;
        const message = `"${name}" is not a connection variable`;
        yield { message, source: locate([name]), hint: `did you mean "${nearest}"?` };
      }
    }
  },
};

export const unusedRegister: Rule = {
  name: 'unused-register',
  reason: 'An unused result is a leftover or a forgotten check.',
  severity: 'warning',
  *check(subject) {
    const used = namesUsed(subject);
    if (used === undefined) return;
    for (const { step: task } of allTasks(subject)) {
      if (task.register === undefined || used.has(task.register)) continue;
      yield {
        message: `nothing uses "${task.register}"`,
        source: task.locate(['register']),
        hint: 'remove the "register", or use what it holds',
      };
    }
  },
};

/** The variables that templates and conditions use; undefined if others may be used where lint does not look. */
function namesUsed(subject: LintSubject): ReadonlySet<string> | undefined {
  const text = everyLine(subject);
  if (!subject.complete || DYNAMIC.test(text)) return undefined;
  return new Set([...wordsInTemplates(text), ...namesInConditions(subject)]);
}

/** Everything that was read, as one text. */
function everyLine(subject: LintSubject): string {
  const files = new Set<string>();
  const add = ({ file }: Source): Set<string> => files.add(file);
  for (const { play } of subject.plays) add(play.source);
  for (const { step } of placedSteps(subject)) add(step.source);
  for (const { locate } of allLayers(subject)) if (locate !== undefined) add(locate([]));
  return [...files].flatMap((file) => subject.lines(file) ?? []).join('\n');
}

/** The words between braces, wherever a template is allowed. */
function wordsInTemplates(text: string): readonly string[] {
  return [...text.matchAll(/\{\{.*?\}\}|\{%.*?%\}/gs)].flatMap(([template]) => template.match(/\w+/g) ?? []);
}

function namesInConditions(subject: LintSubject): readonly string[] {
  const written = placedSteps(subject).flatMap((placed) => conditions(placed, subject));
  return [...namesRead(written.map(({ expression }) => expression)).read];
}

function conditions(placed: PlacedStep, subject: LintSubject): ReturnType<typeof writtenConditions> {
  if (callsModule(placed)) return writtenConditions(placed.step, subject);
  const { step } = placed;
  return step.type === 'meta' ? step.when.flatMap((condition) => parsedCondition(condition, subject) ?? []) : [];
}

const RESERVED: ReadonlySet<string> = new Set(MAGIC_NAMES);

export const reservedName: Rule = {
  name: 'reserved-name',
  reason: 'A variable with the name of one that the run itself sets has no effect.',
  severity: 'error',
  *check(subject) {
    for (const { name, source } of named(subject)) {
      if (!RESERVED.has(name)) continue;
      yield {
        message: `"${name}" is set by the run itself; this value has no effect`,
        source: source(),
        hint: 'choose another name',
      };
    }
  },
};

function* named(subject: LintSubject) {
  for (const { values, locate } of allLayers(subject)) {
    if (locate === undefined) continue;
    for (const name of Object.keys(values)) yield { name, source: () => locate([name]) };
  }
  for (const { step: task } of allTasks(subject)) {
    const { register, args, argsPath, locate } = task;
    if (register !== undefined) yield { name: register, source: () => locate(['register']) };
    if (task.module !== 'set_fact' || !isMapping(args)) continue;
    for (const name of Object.keys(args)) yield { name, source: () => locate([...argsPath, name]) };
  }
}

export const loopVariable: Rule = {
  name: 'loop-variable',
  reason: 'A loop inside a loop with the same variable hides the outer item.',
  severity: 'error',
  *check({ plays }) {
    for (const { step, around } of plays.flatMap(({ steps }) => steps)) {
      const loop = stepLoop(step);
      const outer = loop && around.map(stepLoop).find((one) => one?.variable === loop.variable);
      if (loop === undefined || outer === undefined) continue;
      yield {
        message: `"${loop.variable}" is also the variable of the loop around this one, at ${placeText(outer.over.source)}; it hides the outer item here`,
        source: loop.over.source,
        hint: 'use another variable for one of them: loop_control: { loop_var: … }',
      };
    }
  },
};

function stepLoop(step: Step): Loop | undefined {
  return step.type === 'role' || step.type === 'meta' ? undefined : step.loop;
}
