import {
  CELL_STATES,
  CONTROLLER_NAME,
  OUTCOMES,
  SHORT_NAME,
  type CellState,
  type ControllerOutcome,
  type SourcePosition,
} from '../../reporting/page/format/page.js';

export { appendTo, count, elapsed, getOrAdd, grouped, nameCounted } from '../../reporting/text/words.js';

/** What marks a state besides its colour. Every plain Linux has fonts with these characters. */
export const GLYPHS: Readonly<Record<CellState, string>> = {
  none: '',
  ok: '√',
  changed: 'Δ',
  skipped: '–',
  failed: '×',
  unreachable: '?',
  interrupted: '=',
  ignored: '!',
  rescued: '↑',
};

export const OUTCOME_GLYPHS: Readonly<Record<ControllerOutcome, string>> = {
  ok: '√',
  changed: 'Δ',
  failed: '×',
  unreachable: '?',
  'cut off': '=',
  'not started': '○',
  running: '►',
  waiting: '…',
};

export const STATE_WORDS: Readonly<Record<CellState, string>> = {
  none: 'not run',
  ok: 'ok',
  changed: 'changed',
  skipped: 'skipped',
  failed: 'failed',
  unreachable: 'unreachable',
  interrupted: 'interrupted',
  ignored: 'failed, ignored',
  rescued: 'failed, rescued',
};

export function stateByCode(code: number | undefined): CellState {
  return CELL_STATES[code ?? 0] ?? 'none';
}

export function outcomeByCode(code: number | undefined): ControllerOutcome {
  return OUTCOMES[code ?? 0] ?? 'ok';
}

/** The name of a class or a term: `cut-off`. */
export function slug(words: string): string {
  return words.replaceAll(' ', '-');
}

/** `2026-11-20 19:50:22 (18:50:22 UTC)`: local time beside UTC. Just the latter if they are the same. */
export function time(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const text = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
  const utc = text(date.getTime());
  const local = text(date.getTime() - date.getTimezoneOffset() * 60_000);
  if (local === utc) return `${utc} UTC`;
  return `${local} (${local.slice(0, 10) === utc.slice(0, 10) ? utc.slice(11) : utc} UTC)`;
}

/** `playbooks/rollout.yml:12` */
export function linePlace({ file, line }: SourcePosition): string {
  return `${file}:${line}`;
}

/** A stored text with the name of its controller. */
export function named(text: string, controller: string): string {
  if (!text.includes(CONTROLLER_NAME) && !text.includes(SHORT_NAME)) return text;
  const short = controller.split('.', 1)[0] ?? controller;
  return text.replaceAll(CONTROLLER_NAME, () => controller).replaceAll(SHORT_NAME, () => short);
}
