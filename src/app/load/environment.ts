import path from 'node:path';
import type { Environment, Project } from '../../load/project/project.js';
import type { Diagnostics } from '../../model/source/diagnostic.js';
import { didYouMean } from '../../model/source/suggestion.js';

/** The environment that `--env` names; undefined if it names none, or none that there is. */
export function pickEnvironment(
  name: string | undefined,
  project: Project,
  diagnostics: Diagnostics,
): Environment | undefined {
  if (name === undefined) return undefined;
  const environment = project.environments.get(name);
  if (environment === undefined) {
    const known = [...project.environments.keys()];
    const where = project.file === undefined ? 'there is no evenkeel.yml' : path.basename(project.file);
    diagnostics.error(
      `there is no environment "${name}" (${known.length === 0 ? where : `${where} has ${known.join(', ')}`})`,
      undefined,
      didYouMean(name, known),
    );
  }
  return environment;
}
