import type { Draft } from './generate.js';
import type { Written } from './scene.js';

/** Every smaller version of this draft. */
export function smaller(draft: Draft): readonly Draft[] {
  return [
    ...lists(draft.playbooks, 2).map((playbooks) => ({ ...draft, playbooks: playbooks as Draft['playbooks'] })),
    ...within(draft.files).map((files) => ({ ...draft, files: files as Draft['files'] })),
    ...(draft.arguments.length > 0 ? [{ ...draft, arguments: [] }] : []),
  ];
}

/** Of a list of lists: without an element of an inner one, or with less in one. */
function lists(value: Written, depth: number): readonly Written[] {
  if (depth === 0) return within(value);
  return Array.isArray(value) ? elements(value, (one) => lists(one, depth - 1)) : [];
}

function within(value: Written): readonly Written[] {
  if (Array.isArray(value)) return elements(value, within);
  if (typeof value === 'object' && value !== null) return entries(value as Readonly<Record<string, Written>>);
  return [];
}

function elements(all: readonly Written[], less: (one: Written) => readonly Written[]): readonly Written[] {
  return all.flatMap((one, index) => {
    const put = (...others: readonly Written[]): Written => [
      ...all.slice(0, index),
      ...others,
      ...all.slice(index + 1),
    ];
    const inner = blockOf(one).map((block) => put(...block));
    return [put(), ...inner, ...less(one).map((smaller) => put(smaller))];
  });
}

function blockOf(value: Written): readonly (readonly Written[])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const { block } = value as Readonly<Record<string, Written>>;
  return Array.isArray(block) ? [block] : [];
}

const NEEDED = new Set(['name', 'hosts', 'msg', 'file', 'role', 'debug', 'fail', 'set_fact', 'meta', 'block']);

function entries(value: Readonly<Record<string, Written>>): readonly Written[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const rest = Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
    const without = NEEDED.has(key) ? [] : [rest];
    return [...without, ...within(inner).map((less) => ({ ...value, [key]: less }))];
  });
}
