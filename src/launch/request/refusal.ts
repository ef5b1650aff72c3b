import type { Diagnostic } from '../../core/model/source/diagnostic.js';

export interface Refused {
  readonly status: 'refused';
  readonly diagnostics: readonly Diagnostic[];
}

/** The result of using a run or plan, or the reason why it cannot be opened. */
export type OrRefused<T> = { readonly status: 'ok'; readonly value: T } | Refused;

/** @param problem can be an error with these fields */
export function refusal({ message, hint }: { readonly message: string; readonly hint?: string | undefined }): Refused {
  return { status: 'refused', diagnostics: [{ severity: 'error', message, ...(hint !== undefined && { hint }) }] };
}
