import { existsSync } from 'node:fs';
import { runFolder } from '../../journal/disk/run_folders.js';
import type { Project } from '../../load/project/project.js';
import type { WayOn } from '../../report/output/options.js';

/** The command that resumes a run; undefined if it has no journal. */
export function commandToGoOn(
  { stateDirectory, named, file }: Pick<Project, 'stateDirectory' | 'named' | 'file'>,
  id: string,
): (way: WayOn) => string | undefined {
  const config = named === undefined || file === undefined ? '' : ` --config ${file}`;
  return (way) => {
    if (!existsSync(runFolder(stateDirectory, id))) return undefined;
    return `evenkeel ${way === 'rerun' ? 'run --rerun' : way} ${id}${config}`;
  };
}
