/** Names of fields and numbers of list elements, from the outside in. */
export type FieldPath = readonly (string | number)[];

/** `dns_configuration.server_list[0].addr` */
export function pathText(path: FieldPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
