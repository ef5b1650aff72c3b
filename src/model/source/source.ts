import type { FieldPath } from './field_path.js';

/** A place in a file; line and column count from 1. Everything that came from a file keeps one up to the message that the user reads. */
export interface Source {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `playbooks/rollout.yml:12:7` */
export function placeText({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`;
}

/** Where the value at a path inside a parsed file stands; costs a second parse of the file, so call it for messages only. */
export type Locate = (path: FieldPath) => Source;
