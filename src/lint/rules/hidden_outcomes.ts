import type { Source } from '../../core/model/source/diagnostic.js';
import { entry, isMapping, type Value } from '../../core/model/values/value.js';
import { doesWrite, runsInCheck } from '../../engine/keywords/may_write.js';
import type { Module } from '../../module/contract.js';
import { allTasks, hasReason, type Remark, type Rule } from '../subject/subject.js';

export const ignoreErrors: Rule = {
  name: 'ignore-errors',
  reason: 'Ignoring an expected failure also hides unexpected ones. A comment must say why.',
  severity: 'error',
  *check(subject) {
    for (const { step: task } of allTasks(subject)) {
      const { ignoreErrors: ignored, failedWhen = [], source } = task;
      if (ignored?.value === true && !hasReason(subject.lines, ignored.source, source))
        yield remark('ignore_errors', ignored.source);
      for (const { expression, source: at } of failedWhen) {
        if (expression === false && !hasReason(subject.lines, at, source)) yield remark('failed_when: false', at);
      }
    }
  },
};

function remark(what: string, source: Source): Remark {
  return {
    message: `"${what}" hides every failure, and no comment says why`,
    source,
    hint: 'list the acceptable failures in "failed_when", or write the reason in a comment above',
  };
}

export const checkModeOff: Rule = {
  name: 'check-mode-off',
  reason: 'Users of --check rely on it writing nothing.',
  severity: 'error',
  *check(subject) {
    for (const { step: task } of allTasks(subject)) {
      const module = subject.modules.get(task.module);
      const { checkMode, source } = task;
      if (checkMode?.value !== false || module === undefined || !writes(module, task.args)) continue;
      if (hasReason(subject.lines, checkMode.source, source)) continue;
      yield {
        message: `"check_mode: false" lets ${task.module} write even under --check, and no comment says why`,
        source: checkMode.source,
        hint: 'leave it out, or write the reason in a comment above',
      };
    }
  },
};

/** Whether it certainly writes, and not in check mode. */
function writes(module: Module, args: Value): boolean {
  return doesWrite(module, args) === true && (module.type === 'resource' || runsInCheck(module, args) === false);
}

const WRITES: ReadonlySet<Value> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export const noChangedWhen: Rule = {
  name: 'no-changed-when',
  reason: 'A raw write is sent, and reported as changed, on every run.',
  severity: 'error',
  *check(subject) {
    for (const { step: task, handler } of allTasks(subject)) {
      const { args, when, changedWhen } = task;
      const method = isMapping(args) ? entry(args, 'method') : undefined;
      if (typeof method !== 'string') continue;
      if (task.module !== 'api_request' || handler || !WRITES.has(method)) continue;
      if (changedWhen !== undefined || when.length > 0) continue;
      yield {
        message: `this ${method} is sent on every run, and always reported as changed`,
        source: task.locate([...task.argsPath, 'method']),
        hint: 'use resource_present, which compares first; or say when it is needed ("when") or changes something ("changed_when")',
      };
    }
  },
};
