/** A kind of objects, and its modules. */
export interface ListedKind {
  readonly name: string;
  readonly about: string | undefined;
  readonly modules: readonly string[];
}

export interface ListedModule {
  readonly name: string;
  /** `kind`: for objects of one kind; `vendor`: for playbooks of the vendor's collection. */
  readonly group: 'kind' | 'resource' | 'action' | 'vendor';
  readonly summary: string;
  readonly kind?: string;
  /** Of the project. */
  readonly file?: string;
}

/** What `evenkeel modules` prints: a line for each kind, and for each other module. */
export function moduleListText(
  kinds: readonly ListedKind[],
  modules: readonly ListedModule[],
  vendor: readonly string[],
): string {
  const fileOf = new Map(modules.map(({ name, file }) => [name, file]));
  const kindRows = kinds.map(({ name, about = '', modules: own }): readonly string[] => {
    const file = own.map((one) => fileOf.get(one)).find((one) => one !== undefined);
    return [name, own.map((one) => one.replace(`${name}_`, '')).join(', '), withFile(about, file)];
  });
  const rowsOf = (group: ListedModule['group']): readonly (readonly string[])[] =>
    modules.filter((one) => one.group === group).map(({ name, summary, file }) => [name, withFile(summary, file)]);
  const sections = [
    section('Kinds of objects: KIND_present declares an object, KIND_absent deletes it', kindRows),
    section('Other objects', rowsOf('resource')),
    section('Actions', rowsOf('action')),
  ];
  const others = vendor.filter((name) => kinds.every((kind) => name !== `avi_${kind.name}`));
  return `${sections.join('')}${vendorText(others)}`;
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const widthOf = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const line = (row: readonly string[]): string => row.map((cell, column) => cell.padEnd(widthOf(column))).join('  ');
  return `${title}\n${rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n')}\n\n`;
}

function withFile(text: string, file: string | undefined): string {
  return file === undefined ? text : `${text} (${file})`.trimStart();
}

function vendorText(others: readonly string[]): string {
  return `Playbooks of the collection vmware.alb
  Its modules work, too: avi_KIND for the kinds above, ${others.join(', ')}.

"evenkeel doc NAME" explains a module, or the modules of a kind.
`;
}

export function moduleListJson(modules: readonly ListedModule[]): string {
  return `${JSON.stringify(modules, null, 2)}\n`;
}
