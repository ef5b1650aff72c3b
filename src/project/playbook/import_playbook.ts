import path from 'node:path';
import { kindAt } from '../../core/files/entries.js';
import { NOTHING_INHERITED } from '../../core/model/playbook/generated_play.js';
import { nearestName } from '../../core/model/source/suggestion.js';
import { kindOf, type Cursor } from '../document/cursor.js';
import { template } from '../document/templated.js';
import { names, text, warnOfOldForm } from '../document/texts.js';
import { conditions } from '../keywords/conditions.js';
import { checkKeyword, IMPORT_PLAYBOOK, PLAY } from '../keywords/keywords.js';
import { plainName } from '../keywords/modules.js';
import { nearbyFile } from '../task/find_task_file.js';
import { knownText } from '../task/known_text.js';
import { varsOf } from '../variables/vars.js';
import { playContext } from './play_context.js';
import type { Surroundings } from './play.js';

/** A playbook to read, and the keywords that its plays inherit. */
interface ImportedPlaybook {
  /** Absolute. */
  readonly file: string;
  readonly imported: Surroundings['imported'];
}

/** The key of an `import_playbook` among the plays; its older name was `include`. */
export function importKey(play: Cursor): Cursor | undefined {
  const words = play.get('hosts') === undefined ? ['import_playbook', 'include'] : ['import_playbook'];
  return play.entries().find(({ name }) => words.includes(plainName(name)));
}

/** The key that is probably a misspelled `import_playbook`. */
export function mistypedImport(play: Cursor): Cursor | undefined {
  if (play.get('hosts') !== undefined) return undefined;
  const words = [...PLAY.known, 'import_playbook'];
  return play.entries().find(({ name }) => nearestName(name, words) === 'import_playbook');
}

/** The file of an `import_playbook`, relative to the playbook. Reports a missing file, and returns undefined. */
export function playbookImport(
  cursor: Cursor,
  key: Cursor,
  around: Surroundings,
  chain: readonly string[],
): ImportedPlaybook | undefined {
  for (const item of cursor.entries()) if (item.name !== key.name) checkKeyword(item, IMPORT_PLAYBOOK);
  if (plainName(key.name) === 'include') warnOfOldForm(key, '"include"', 'write import_playbook');
  template(cursor.get('name'));
  const { imported } = around;
  const own = varsOf(cursor.get('vars'), 'play vars', 'vars of import_playbook');
  const handed = {
    // The outermost import wins, as in Ansible.
    layers: [...own, ...imported.layers],
    tags: [...new Set([...imported.tags, ...names(cursor.get('tags'))])],
    when: [...imported.when, ...(conditions(cursor.get('when')) ?? [])],
  };
  const file = fileOf(key, { ...around, imported: handed }, chain);
  return file === undefined ? undefined : { file, imported: handed };
}

function fileOf(key: Cursor, around: Surroundings, chain: readonly string[]): string | undefined {
  if (typeof key.value !== 'string' || key.value.trim() === '') {
    key.errorAtKey(`"import_playbook" needs the name of a playbook, not ${kindOf(key.value)}`);
    return undefined;
  }
  const context = playContext(key, around.reader, [...around.imported.layers, ...around.extraVars]);
  const known = { context, inherited: NOTHING_INHERITED };
  const name = knownText(text(key)?.trim() ?? '', key, known, 'pass the variable with -e');
  if (name === undefined) return undefined;
  const file = path.resolve(around.reader.folder.directory, name);
  const { files } = around.reader;
  const found = kindAt(file);
  if (found === 'folder') {
    key.error(`"${name}" is a folder`, 'name a playbook in it');
    return undefined;
  }
  if (found === undefined) {
    key.error(`there is no playbook "${name}" (looked in ${files.show(path.dirname(file))})`, nearbyFile([file]));
    return undefined;
  }
  if (!chain.includes(file)) return file;
  const circle = [...chain.slice(chain.indexOf(file)), file].map((one) => files.show(one));
  key.error(`import cycle: ${circle.join(' → ')}`);
  return undefined;
}
