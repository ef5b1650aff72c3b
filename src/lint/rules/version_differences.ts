import { splitTerms } from '../../core/model/inventory/pattern_terms.js';
import type { Play } from '../../core/model/playbook/playbook.js';
import type { Block, Handler, Located, Loop, Step } from '../../core/model/playbook/step.js';
import { isList } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { hasTemplate } from '../../language/syntax/template.js';
import type { PlacedStep, PlaySubject, Remark, Rule } from '../subject/subject.js';
import { expressionDifferences } from './expression_differences.js';

/** Visible differences between ansible-core 2.14 and 2.19. Evenkeel follows 2.14 (docs/coming-from-ansible.md). */
export const versionDifference: Rule = {
  name: 'version-difference',
  reason: 'Ansible 2.14 and 2.19 do different things here, so the playbook depends on the tool that runs it.',
  severity: 'warning',
  *check(subject) {
    yield* expressionDifferences(subject);
    for (const one of subject.plays) {
      yield* addressesIn(one.play);
      yield* sharedTopics(one.play.handlers);
      for (const { step } of one.handlers) yield* notifiesItself(step);
      for (const placed of [...one.steps, ...one.handlers]) {
        yield* loopDifferences(placed.step);
        yield* rescueDifferences(placed);
      }
      yield* roleVariables(one);
    }
  },
};

/** 2.19 reads the colons of an address with a `*` as separators of patterns, so `*` matches every controller. */
function* addressesIn({ hosts }: Play): Generator<Remark> {
  if (hasTemplate(hosts.value)) return;
  for (const term of splitTerms(hosts.value)) {
    if (!/^[&!]?[\da-f]*:[\da-f:]*[*?[]/i.test(term)) continue;
    yield {
      message: `"${term}" is one pattern in Ansible 2.14, and several in 2.19, where "*" means every controller`,
      source: hosts.source,
      hint: 'put these controllers into a group, and name the group',
    };
  }
}

/** A topic that handlers of the same name in different roles listen to: 2.14 runs all of them, 2.19 only the last. */
function* sharedTopics(handlers: readonly Handler[]): Generator<Remark> {
  const before = new Map<string, Handler>();
  for (const handler of new Set(handlers)) {
    const { name, role, listen } = handler;
    for (const topic of name === undefined ? [] : listen) {
      const key = JSON.stringify([name?.value, topic]);
      const other = before.get(key);
      before.set(key, handler);
      if (other === undefined || other.role === role) continue;
      yield {
        message: `another role has a handler "${name?.value ?? ''}" that listens to "${topic}": Ansible 2.14 runs both, 2.19 only the last`,
        source: name?.source ?? handler.source,
        hint: 'give each a unique name',
      };
    }
  }
}

function* notifiesItself(handler: Handler): Generator<Remark> {
  if (handler.type === 'meta' || handler.name === undefined) return;
  const { name, role, listen } = handler;
  const answers = [name.value, ...(role === undefined ? [] : [`${role} : ${name.value}`]), ...listen];
  const found = handler.notify.find(({ value }) => answers.includes(value));
  if (found === undefined) return;
  yield {
    message: 'this handler notifies itself: Ansible 2.14 runs it once, 2.19 again',
    source: found.source,
    hint: 'repeat with "until" and "retries", or notify another handler',
  };
}

function* loopDifferences(step: Step): Generator<Remark> {
  const loop = step.type === 'role' || step.type === 'meta' ? undefined : step.loop;
  const [text] = loop === undefined ? [] : textsIn(loop);
  if (loop !== undefined && text !== undefined)
    yield {
      message: `a text is one item of with_${loop.lookup ?? ''} in Ansible 2.14, and a list of its letters in 2.19`,
      source: loop.over.source,
      hint: `write each of these as a list: [${text}]`,
    };
}

function textsIn({ lookup, over: { value } }: Loop): readonly string[] {
  if ((lookup !== 'nested' && lookup !== 'together') || !isList(value)) return [];
  return value.filter((one) => typeof one === 'string').filter((one) => !hasTemplate(one));
}

/** Keywords that end or share a task for all controllers, in a block that rescues failures. */
function* rescueDifferences({ step, around }: PlacedStep): Generator<Remark> {
  if (step.type !== 'task' && step.type !== 'include') return;
  if (!around.some((one, index) => one.type === 'block' && rescues(one, around[index + 1] ?? step))) return;
  if (isOn(step.anyErrorsFatal))
    yield {
      message: 'after a failure under "any_errors_fatal", Ansible 2.14 rescues the controllers that failed, 2.19 all',
      source: step.anyErrorsFatal.source,
      hint: 'set it outside of blocks that have a "rescue"',
    };
  if (isOn(step.runOnce))
    yield {
      message: 'if a task with "run_once" fails, Ansible 2.14 rescues all controllers, 2.19 only the first',
      source: step.runOnce.source,
      hint: 'set it outside of blocks that have a "rescue"',
    };
}

function rescues(block: Block, inside: Step): boolean {
  return block.rescue.length > 0 && block.steps.includes(inside);
}

function isOn(flag: Located | undefined): flag is Located {
  return flag !== undefined && flag.value !== false;
}

/** `vars` of an entry of `roles`, and the same names in the play or the role: 2.14 takes the former, 2.19 the latter. */
function* roleVariables({ play, steps }: PlaySubject): Generator<Remark> {
  const seen = new Set<VariableLayer>();
  for (const { step } of steps) {
    if (step.type !== 'task' && step.type !== 'include') continue;
    for (const layer of step.layers) {
      if (seen.has(layer) || !isOfEntry(layer, step.layers)) continue;
      seen.add(layer);
      const others = new Set([...play.layers, ...step.layers].filter((one) => isBeaten(one) && one !== layer));
      yield* clashes(layer, [...others]);
    }
  }
}

/** The `vars` of an import are layers of a block, too. */
function isOfEntry({ level, origin, values }: VariableLayer, layers: readonly VariableLayer[]): boolean {
  if (level !== 'role vars' || !origin.startsWith('vars of role ')) return false;
  return !layers.some((one) => one.level === 'block vars' && one.values === values);
}

function isBeaten({ level, origin }: VariableLayer): boolean {
  return level === 'play vars' || (level === 'role vars' && !origin.startsWith('vars of role '));
}

function* clashes({ values, locate }: VariableLayer, others: readonly VariableLayer[]): Generator<Remark> {
  for (const name of Object.keys(values)) {
    const source = locate?.([name]);
    const other = others.find((one) => Object.hasOwn(one.values, name));
    if (other === undefined || source === undefined) continue;
    yield {
      message: `"${name}" is set in ${other.origin}, too: Ansible 2.14 takes the value of this entry of "roles", 2.19 the other`,
      source,
      hint: 'pass it as a parameter: write it beside "role", without "vars"',
    };
  }
}
