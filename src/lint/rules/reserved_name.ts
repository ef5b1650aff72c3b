import { MAGIC_NAMES } from '../../model/playbook/magic_names.js';
import { isMapping } from '../../model/values/value.js';
import type { Source } from '../../model/source/source.js';
import { layersOf } from '../layers.js';
import type { Rule } from '../rule.js';
import { tasksOf, type Subject } from '../subject.js';

const RESERVED: ReadonlySet<string> = new Set(MAGIC_NAMES);

export const reservedName: Rule = {
  name: 'reserved-name',
  reason: 'A variable with the name of one that the run itself sets has no effect.',
  severity: 'error',
  *check(subject) {
    for (const { name, source } of named(subject)) {
      if (!RESERVED.has(name)) continue;
      yield {
        message: `"${name}" is set by the run itself; what is given here has no effect`,
        source: source(),
        hint: 'choose another name',
      };
    }
  },
};

interface Named {
  readonly name: string;
  readonly source: () => Source;
}

function* named(subject: Subject): Generator<Named> {
  for (const { values, locate } of layersOf(subject)) {
    if (locate === undefined) continue;
    for (const name of Object.keys(values)) yield { name, source: () => locate([name]) };
  }
  for (const { step: task } of tasksOf(subject)) {
    const { register, args, argsPath, locate } = task;
    if (register !== undefined) yield { name: register, source: () => locate(['register']) };
    if (task.module !== 'set_fact' || !isMapping(args)) continue;
    for (const name of Object.keys(args)) yield { name, source: () => locate([...argsPath, name]) };
  }
}
