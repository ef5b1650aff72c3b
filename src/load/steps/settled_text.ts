import type { Site } from '../site.js';

const SETTLED = /\{\{\s*(playbook_dir|role_path|role_name)\s*\}\}/g;

/** A text with what the place of a step settles filled in, as `{{role_path}}/tasks/x.yml`: nothing can change that later. */
export function settledText(text: string, { playFolder, role }: Site): string {
  return text.replace(SETTLED, (written, name: string) => {
    if (name === 'playbook_dir') return playFolder;
    return (name === 'role_path' ? role?.path : role?.name) ?? written;
  });
}
