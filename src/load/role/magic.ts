import type { Mapping } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { RoleSite } from '../site.js';

/** What the steps of a role know about it; `ansible_play_role_names` and the like are the run's. */
export function roleMagic({ name, path, parents }: RoleSite): VariableLayer {
  const around: Mapping = {
    ansible_parent_role_names: parents.map((parent) => parent.name),
    ansible_parent_role_paths: parents.map((parent) => parent.path),
  };
  const own: Mapping = { role_name: name, role_path: path, ansible_role_name: name };
  return magic(parents.length === 0 ? own : { ...own, ...around });
}

function magic(values: Mapping): VariableLayer {
  return { level: 'magic', values, origin: 'magic variables', literal: true };
}
