import * as Type from 'typebox';
import {
  defineAction,
  display,
  isList,
  type ActionContext,
  type ActionResult,
  type Value,
} from '../src/module/contract.js';
import { closedObject } from '../src/module/schema.js';

const text = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description, prose: true }));

const args = closedObject({
  that: Type.Unsafe<Value>({
    expression: true,
    description: 'An expression, or a list of expressions that must all be true.',
  }),
  fail_msg: text('The message if one of them is false.'),
  msg: text('The same as `fail_msg`.'),
  success_msg: text('The message if all are true.'),
  quiet: Type.Boolean({ default: false, description: 'Print nothing if all are true.' }),
});

export default defineAction({
  name: 'assert',
  summary: 'fails unless all conditions are true',
  args,
  examples: [
    `
- assert:
    that:
      - dns_servers | length > 0
      - stage in ["dev", "stage", "prod"]
    fail_msg: dns_servers and stage must be set for {{inventory_hostname}}
`,
  ],
  check: true,
  run: (given, context): Promise<ActionResult> => Promise.resolve(judge(given, context)),
});

function judge(given: Type.Static<typeof args>, context: ActionContext): ActionResult {
  const conditions: readonly Value[] = Array.isArray(given.that) ? given.that : [given.that];
  for (const written of conditions)
    for (const [condition, value] of evaluated(written, context))
      if (!context.isTrue(value)) return broken(given, condition, value);
  const { success_msg: msg = 'All assertions passed' } = given;
  const spoken = given.success_msg !== undefined && !given.quiet;
  return { status: 'ok', message: joined(msg), spoken, values: { msg } };
}

const BRACED = /^\s*\{\{-?((?:(?!\{\{).)*?)-?\}\}\s*$/s;

/** Conditions and their values. As in Ansible, a template may give a list of them; the list itself would always be true. */
function* evaluated(condition: Value, context: ActionContext): Iterable<readonly [Value, Value]> {
  const value = context.evaluate(condition);
  const [, list] = typeof condition === 'string' ? (BRACED.exec(condition) ?? []) : [];
  if (list === undefined || !isList(value)) yield [condition, value];
  else for (const [index, item] of value.entries()) yield [item, context.evaluate(`{{ (${list})[${index}] }}`)];
}

function broken(given: Type.Static<typeof args>, condition: Value, value: Value): ActionResult {
  const assertion = display(condition);
  const msg = given.fail_msg ?? given.msg;
  return {
    status: 'failed',
    message: [...(msg === undefined ? [] : [joined(msg)]), `Assertion failed: ${assertion}`].join('\n'),
    values: { assertion, evaluated_to: value, msg: msg ?? 'Assertion failed' },
  };
}

function joined(lines: string | readonly string[]): string {
  return typeof lines === 'object' ? lines.join('\n') : lines;
}
