import type { Diagnostics } from '../../model/source/diagnostic.js';
import type { Handler } from '../../model/playbook/step.js';
import { didYouMean } from '../../model/source/suggestion.js';
import { hasTemplate } from '../../template/check.js';
import type { PlayParts } from '../playbook/play_parts.js';

/**
 * Reports what is notified that no handler answers to. Names with templates, on either side, can only be compared during
 * the run, and so can all if an include may bring handlers that are not known yet.
 */
export function checkNotifications(parts: PlayParts, handlers: readonly Handler[], diagnostics: Diagnostics): void {
  const known = [...handlers, ...parts.awaited].flatMap(namesOf);
  if (parts.open || known.some(hasTemplate)) return;
  const names = new Set(known);
  for (const { value, source } of new Set(parts.notified)) {
    if (names.has(value) || hasTemplate(value)) continue;
    diagnostics.error(`no handler of this play is named "${value}" or listens to it`, source, didYouMean(value, known));
  }
}

/** What a handler answers to: its name, alone and behind that of its role, and its topics. */
function namesOf({ name, role, listen }: Handler): readonly string[] {
  if (name === undefined) return listen;
  const full = role === undefined ? [] : [`${role} : ${name.value}`];
  return [name.value, ...full, ...listen];
}
