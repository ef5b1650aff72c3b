import path from 'node:path';
import { isList } from '../../model/values/value.js';
import type { Scope } from '../../template/scope.js';
import type { PlayContext } from '../play/play_context.js';

/** Folders in which files with relative names are looked for, nearest first: of the role and the file that the task stands in, then the playbook's. */
export function searchPath({ play, playbook }: PlayContext, scope: Scope): readonly string[] {
  const own = scope.get('ansible_search_path');
  const folders = isList(own) ? own.filter((folder) => typeof folder === 'string') : [];
  return [...new Set([...folders, play.directory, path.resolve(playbook.directory)])];
}
