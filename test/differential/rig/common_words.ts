/**
 * Puts what a task said into words that do not tell the tools apart: their templates agree on the value, not on its type
 * (Ansible makes text of `{{ a | length }}`, we keep the number).
 */
export function commonWords(said: unknown, folder: string): string {
  return JSON.stringify(common(said, folder));
}

function common(value: unknown, folder: string): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return text(value, folder);
  if (Array.isArray(value)) return value.map((item) => common(item, folder));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, common(inner, folder)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function text(value: number | boolean | string, folder: string): string {
  return (typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value))
    .replaceAll(folder, 'FOLDER')
    .replaceAll(' | ', ' / ');
}

/** An item's label; other labels than plain words differ by design. */
export function commonLabel(label: string, folder: string): string {
  return /[[{]/.test(label) ? '…' : label.toLowerCase().replaceAll(folder.toLowerCase(), 'FOLDER');
}
