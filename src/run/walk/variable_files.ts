import type { Located } from '../../model/playbook/step.js';
import path from 'node:path';
import type { Play } from '../../model/playbook/playbook.js';
import type { VariableLayer } from '../../model/values/variables.js';
import { renderText } from '../../template/render.js';
import { asText } from '../../template/runtime/text.js';
import type { Variables } from '../../template/scope.js';
import type { RunSources } from '../input/run_input.js';
import { TaskProblem } from '../keywords/failed_result.js';

/** The play that names the files, and how they are read. */
interface FilesContext extends Pick<RunSources, 'readVariables'> {
  readonly definition: Pick<Play, 'directory' | 'variableFiles'>;
}

/** The `vars_files` whose names depend on this controller's variables. Throws if one is missing or cannot be read. */
export async function variableFiles(context: FilesContext, variables: Variables): Promise<readonly VariableLayer[]> {
  const layers: VariableLayer[] = [];
  for (const names of context.definition.variableFiles) {
    layers.push(await firstThatExists(context, names, variables.child(layers)));
  }
  return layers;
}

async function firstThatExists(
  { definition, readVariables }: FilesContext,
  names: Located<readonly string[]>,
  variables: Variables,
): Promise<VariableLayer> {
  const files = names.value.map((name) => asText(renderText(name, variables, names.source)));
  for (const file of files.flatMap(placesOf)) {
    const layer = await readVariables(path.resolve(definition.directory, file));
    if (layer !== undefined) return layer;
  }
  throw new TaskProblem(`none of the variables files exists: ${files.join(', ')}`, names.source);
}

/** In `vars` first, as in Ansible. */
function placesOf(file: string): readonly string[] {
  return path.isAbsolute(file) || file.split('/')[0] === 'vars' ? [file] : [path.join('vars', file), file];
}
