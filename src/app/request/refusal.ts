import type { Diagnostic } from '../../model/source/diagnostic.js';

export interface Refused {
  readonly status: 'refused';
  readonly diagnostics: readonly Diagnostic[];
}

/** A run or a plan that could be opened and used, or why not. */
export type Opened<T> = { readonly status: 'ok'; readonly value: T } | Refused;

/** @param problem also an error with these fields */
export function refusal({ message, hint }: { readonly message: string; readonly hint?: string | undefined }): Refused {
  return { status: 'refused', diagnostics: [{ severity: 'error', message, ...(hint !== undefined && { hint }) }] };
}
