import type { Change } from '../../model/change.js';
import { isMapping, type Mapping } from '../../model/value.js';
import type { ResourceModule } from '../../module/contract.js';

/**
 * What `register` keeps of a resource beside the flags: `name` (`cloud "edge-1"`), `change` (`kind`, `before`, `after`), and
 * `object`, the controller's object as it was read last (null if there is none, or it cannot be read).
 */
export function resourceValues(
  module: ResourceModule,
  args: Parameters<ResourceModule['object']>[0],
  change: Change,
  observed: unknown,
): Mapping {
  return { name: module.object(args), change: changeValue(change), object: observedObject(observed) };
}

function changeValue(change: Change): Mapping {
  return change.kind === 'none' ? { kind: 'none', before: null, after: null } : { ...change };
}

/** The controller's object in what a module observed, itself or in a `Singleton`; null if there is none, or it cannot be read. */
export function observedObject(observed: unknown): Mapping | null {
  if (!isMapping(observed)) return null;
  if (observed['status'] === 'found' && isMapping(observed['object'])) return observed['object'];
  return observed['status'] === 'unreadable' && typeof observed['code'] === 'number' ? null : observed;
}
