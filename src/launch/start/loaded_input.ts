import { statSync } from 'node:fs';
import path from 'node:path';
import { caReader } from '../../controller/settings/settings.js';
import { Diagnostics, LoadError, orElse } from '../../core/model/source/diagnostic.js';
import type { ReadVariablesFile } from '../../engine/input/run_input.js';
import type { FileServices } from '../../project/document/read_file_text.js';
import { readVariables } from '../../project/variables/written_variables.js';
import type { RunPorts } from '../load/ports.js';
import { runSettings, type PreparedRun } from '../load/prepared_run.js';

/** The input of the engine and the preflight, from a prepared run. */
export type LoadedInput = Pick<PreparedRun, 'request' | 'loaded' | 'selected' | 'answers'>;

/** The input that preflight and run share. */
export function sharedInput(run: LoadedInput, { cwd, version }: Pick<RunPorts, 'cwd' | 'version'>) {
  const { loaded, request, selected, answers } = run;
  const { target, playbooks, catalogue } = loaded;
  const { project, environment, environmentName, inventory, inventorySources, limit, limitPattern, shard } = target;
  const { extraVars, library, secrets } = target;
  const { tags = [], skipTags = [], startAtTask } = request;
  return {
    identity: {
      version,
      environment: environment?.name,
      environmentName,
      projectFile: project.file && path.resolve(cwd, project.file),
      inventorySources,
    },
    settings: runSettings(run),
    connections: { settingSources: { readCa: caReader(cwd), dialects: project.dialects, routes: project.routes } },
    selection: {
      ...{ plays: selected, limit, limitPattern, shard, tags, skipTags, startAtTask },
      isPartial: loaded.rollback?.isPartial,
    },
    sources: {
      playbooks,
      inventory,
      extraVars,
      answers,
      catalogue,
      library,
      secrets,
      readVariables: variablesReader(cwd, target),
    },
  };
}

/** Reads variable files whose names depend on a controller's variables. Reads each file once, and again if the run has saved it since. */
function variablesReader(cwd: string, files: FileServices): ReadVariablesFile {
  const read = new Map<string, { readonly version: string; readonly layer: ReturnType<ReadVariablesFile> }>();
  return (file, hasSaved = false) => {
    const known = read.get(file);
    if (known !== undefined && !hasSaved) return known.layer;
    const version = fileVersion(file);
    if (known?.version === version) return known.layer;
    const layer = readOnce(path.normalize(file), cwd, files);
    read.set(file, { version, layer });
    return layer;
  };
}

/** Another one after each time that a file was replaced. */
function fileVersion(file: string): string {
  const found = orElse(undefined, () => statSync(file));
  return found === undefined ? '' : [found.ino, found.mtimeMs, found.size].join(' ');
}

async function readOnce(file: string, cwd: string, files: FileServices): ReturnType<ReadVariablesFile> {
  const diagnostics = new Diagnostics();
  const shown = path.relative(cwd, file);
  const layer = await readVariables(file, 'vars_files', { ...files, diagnostics }, shown);
  const wrong = diagnostics.list.find(({ severity }) => severity === 'error');
  if (wrong === undefined) return layer;
  const message = wrong.source === undefined ? `${shown}: ${wrong.message}` : wrong.message;
  throw new LoadError(message, wrong.source, wrong.hint);
}
