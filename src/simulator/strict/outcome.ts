import { refusal, type Answer } from '../protocol/answer.js';

/** A value, or the answer that refuses the request. */
export type Outcome<T> =
  { readonly status: 'ok'; readonly value: T } | { readonly status: 'refused'; readonly answer: Answer };

export function ok<T>(value: T): Outcome<T> {
  return { status: 'ok', value };
}

export function refused(status: number, error: string): { readonly status: 'refused'; readonly answer: Answer } {
  return { status: 'refused', answer: refusal(status, error) };
}
