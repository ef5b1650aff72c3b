import path from 'node:path';

export type FileFormat = 'yaml' | 'json' | 'ini' | 'toml';

const BY_SUFFIX: Readonly<Record<string, FileFormat>> = {
  '.yml': 'yaml',
  '.yaml': 'yaml',
  '.json': 'json',
  '.ini': 'ini',
  '.cfg': 'ini',
  '.toml': 'toml',
};

const YAML_START = /^(?:---|%|[{"'&!]|[^\s[\]=]+:(?:\s|$))/;

/**
 * How an inventory file is to be read: by its suffix, or, for any other name, by the first line that says something, so
 * that what is wrong is told in the terms of one format.
 */
export function formatOf(file: string, text: string): FileFormat {
  const known = BY_SUFFIX[path.extname(file)];
  if (known !== undefined) return known;
  const first = text.split(/\r?\n/).find((line) => /^\s*[^\s#;]/.test(line)) ?? '';
  if (first.trimStart().startsWith('{')) return 'json';
  return YAML_START.test(first.trimStart()) ? 'yaml' : 'ini';
}
