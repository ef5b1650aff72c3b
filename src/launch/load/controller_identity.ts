import { settingIdentity } from '../../controller/settings/url.js';
import { magicLayer, type Controller } from '../../core/model/inventory/inventory.js';
import { LoadError, orElse } from '../../core/model/source/diagnostic.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Library } from '../../language/library.js';
import { TemplateError } from '../../language/runtime/errors.js';
import { Variables } from '../../language/scope.js';
import type { LoadedTarget } from './target.js';

/** The variables of a controller before a run, as far as its files show them. */
export function variablesInFiles(
  controller: Controller,
  layers: readonly VariableLayer[],
  playbookDirectory: string,
  { extraVars, library }: { readonly extraVars: readonly VariableLayer[]; readonly library: Library },
): Variables {
  const own = magicLayer(controller, { playbook_dir: playbookDirectory });
  return new Variables([...layers, ...extraVars, own], undefined, undefined, library);
}

/**
 * The identity of a controller; undefined if it is not known yet or invalid, which the run reports when it reaches the
 * controller.
 *
 * @param layers of its inventory and its play
 */
export function identityInFiles(
  controller: Controller,
  layers: readonly VariableLayer[],
  playbookDirectory: string,
  { extraVars, library, project }: Pick<LoadedTarget, 'extraVars' | 'library' | 'project'>,
): string | undefined {
  const variables = variablesInFiles(controller, layers, playbookDirectory, { extraVars, library });
  return orElse(
    undefined,
    () => settingIdentity((name) => variables.get(name), controller.name, project.routes),
    TemplateError,
    LoadError,
  );
}
