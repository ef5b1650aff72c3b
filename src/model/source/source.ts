import type { FieldPath } from './field_path.js';

/**
 * A place in a file; line and column count from 1. Everything that came from a file keeps its place up to the message
 * that the user reads.
 */
export interface Source {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `playbooks/rollout.yml:12:7` */
export function placeText({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`;
}

/** The position of the value at a path in a parsed file. Parses the file a second time, so call it for messages only. */
export type Locate = (path: FieldPath) => Source;
