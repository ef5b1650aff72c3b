import { isAbsolute, relative, sep } from 'node:path';
import { placeText, type Source } from '../../model/source/source.js';
import { plain } from './plain.js';

/** A file as the user would name it: relative to the working directory if it is inside. */
export function displayPath(file: string, cwd: string): string {
  if (!isAbsolute(file)) return plain(file);
  const path = relative(cwd, file);
  return plain(path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? file : path);
}

/** `playbooks/rollout.yml:12:7` */
export function displayPlace(source: Source, cwd: string): string {
  return placeText({ ...source, file: displayPath(source.file, cwd) });
}
