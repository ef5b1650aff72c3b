/** Names of fields and numbers of list elements, from the outside in. */
export type FieldPath = readonly (string | number)[];

/** `dns_configuration.server_list[0].addr` */
export function pathText(path: FieldPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

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
