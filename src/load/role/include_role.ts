import type { Include } from '../../model/playbook.js';
import type { Cursor } from '../cursor.js';
import type { Inherited } from '../inherited.js';
import type { Site } from '../site.js';

export function includeRole(cursor: Cursor, _site: Site, _inherited: Inherited): Promise<Include | undefined> {
  cursor.error('roles are not read yet');
  return Promise.resolve(undefined);
}
