import type { Controller } from '../../core/model/inventory/inventory.js';
import { LazyMapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Library } from '../../language/library.js';
import { Variables } from '../../language/scope.js';

/** The variables of a controller before a run, as far as its files show them. */
export function variablesBefore(
  controller: Controller,
  layers: readonly VariableLayer[],
  playbookDirectory: string,
  { extraVars, library }: { readonly extraVars: readonly VariableLayer[]; readonly library: Library },
): Variables {
  const magic = new WrittenValue(controller, playbookDirectory);
  return new Variables([...layers, ...extraVars], undefined, magic, library);
}

/** The magic variables that do not change during a run. */
class WrittenValue extends LazyMapping {
  constructor(
    private readonly controller: Controller,
    private readonly playbookDirectory: string,
  ) {
    super();
  }

  override get(name: string): Value | undefined {
    const { controller, playbookDirectory } = this;
    switch (name) {
      case 'inventory_hostname':
        return controller.name;
      case 'inventory_hostname_short':
        return controller.name.split('.')[0];
      case 'inventory_dir':
        return controller.directory;
      case 'inventory_file':
        return controller.file;
      case 'playbook_dir':
        return playbookDirectory;
      default:
        return undefined;
    }
  }

  override keys(): readonly string[] {
    return ['inventory_hostname', 'inventory_hostname_short', 'inventory_dir', 'inventory_file', 'playbook_dir'];
  }
}
