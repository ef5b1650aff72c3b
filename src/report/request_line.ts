import type { RequestFinished } from '../model/run/event.js';
import type { Palette } from './palette.js';
import { oneLine, plain } from './plain.js';
import { duration } from './words.js';

const LONGEST_BODY = 10_000;

/** `lb1  GET https://lb1/api/cloud/ → 200  0.1 s`, the bodies below with `-vvvv`. */
export function requestLines(event: RequestFinished, verbosity: number, palette: Palette): readonly string[] {
  const { controller, method, url, status, error, seconds } = event;
  const answer = status === undefined ? (error ?? 'no answer') : String(status);
  const head = `    ${oneLine(controller)}  ${oneLine(method)} ${oneLine(url)} → ${oneLine(answer)}  ${duration(seconds)}`;
  const bodies = verbosity < 4 ? [] : [...bodyLines('>', event.requestBody), ...bodyLines('<', event.responseBody)];
  return [head, ...bodies].map((line) => palette.faint(line));
}

function bodyLines(mark: string, body: string | undefined): readonly string[] {
  if (body === undefined || body === '') return [];
  const shown = body.length > LONGEST_BODY ? `${body.slice(0, LONGEST_BODY)}… (${body.length} characters)` : body;
  return plain(shown)
    .split('\n')
    .map((line) => `      ${mark} ${line}`);
}
