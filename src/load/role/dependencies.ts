import type { Inside } from '../enter.js';
import { knownText } from '../steps/known_text.js';
import type { RoleSite } from '../site.js';
import { roleEntry } from './entry.js';
import { findRole } from './find.js';
import type { RoleMetadata } from './metadata.js';
import type { ExpandedRole, RoleRequest } from './request.js';

type Expand = (request: RoleRequest, around: Inside, dependents: readonly RoleSite[]) => Promise<ExpandedRole>;

/** What the dependencies of a role come to; `inside`: what it hands to them; `chain`: itself last, and who depends on it. */
export async function expandDependencies(
  { dependencies }: RoleMetadata,
  dependent: RoleRequest,
  inside: Inside,
  chain: readonly RoleSite[],
  expand: Expand,
): Promise<readonly ExpandedRole[]> {
  const expanded: ExpandedRole[] = [];
  for (const cursor of dependencies) {
    const entry = roleEntry(cursor, inside.site, inside.inherited);
    const name = entry && knownText(entry.name, entry.at, inside, 'write the name as it is');
    const role =
      entry && name !== undefined ? findRole(name, entry.at, inside.site, dependent.role.parents) : undefined;
    if (entry === undefined || role === undefined) continue;
    const circle = circleWith(role, chain);
    if (circle !== undefined) {
      entry.at.error(`roles depend on each other in a circle: ${circle.join(' → ')}`, 'remove one of the dependencies');
      continue;
    }
    const request: RoleRequest = {
      ...entry,
      role,
      named: {},
      repeatable: undefined,
      validate: true,
      fromStep: false,
      handlerLayers: dependent.handlerLayers,
    };
    expanded.push(await expand(request, entry.inside, chain));
  }
  return expanded;
}

function circleWith(role: RoleSite, chain: readonly RoleSite[]): readonly string[] | undefined {
  const start = chain.findIndex(({ path }) => path === role.path);
  return start < 0 ? undefined : [...chain.slice(start), role].map(({ name }) => name);
}
