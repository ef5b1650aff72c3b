import type { Step } from '../../model/playbook.js';
import type { Cursor } from '../cursor.js';
import type { Inherited } from '../inherited.js';
import type { Site } from '../site.js';

/** The steps of the role that `import_role` names; what it brings to the whole play goes to `site.play`. */
export function importRole(cursor: Cursor, _site: Site, _inherited: Inherited): Promise<readonly Step[]> {
  cursor.error('roles are not read yet');
  return Promise.resolve([]);
}
