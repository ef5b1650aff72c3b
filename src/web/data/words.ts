import {
  CELL_STATES,
  CONTROLLER_NAME,
  OUTCOMES,
  SHORT_NAME,
  type CellState,
  type ControllerOutcome,
  type SourcePlace,
} from '../../reporting/page/format/page.js';

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

const GROUPED = new Intl.NumberFormat('en');

/** `10,000` */
export function grouped(number: number): string {
  return GROUPED.format(number);
}

/** `1 controller`, `10,000 controllers` */
export function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `0.3 s`, `12 s`, `2 min 5 s`, `1 h 3 min` */
export function duration(seconds: number): string {
  if (seconds < 0.0995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
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
export function placeText({ file, line }: SourcePlace): string {
  return `${file}:${line}`;
}

/** A stored text with the name of its controller. */
export function named(text: string, controller: string): string {
  if (!text.includes(CONTROLLER_NAME) && !text.includes(SHORT_NAME)) return text;
  return text.replaceAll(CONTROLLER_NAME, controller).replaceAll(SHORT_NAME, controller.split('.', 1)[0] ?? controller);
}
