import { once } from 'node:events';
import { type CommandContext, refuse, show } from '../cli/context.js';
import { whyFailed } from '../core/files/paths.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { configOption } from '../launch/history/listed_run.js';
import { loadProject } from '../project/project/project.js';
import { startUi, type GroupedTexts, type Ui } from './server.js';

const LAST_PORT = 65_535;

export interface UiOptions {
  /** Absent: any free one. */
  readonly port?: number | undefined;
  readonly color?: boolean | undefined;
}

/** `evenkeel ui`: shows the kept runs in a browser, until it is interrupted. */
export async function uiCommand({ port = 0, color }: UiOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  if (port > LAST_PORT) diagnostics.error(`--port ${port}: ports end at ${LAST_PORT}`);
  const project = await loadProject(context.cwd, context.env, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, color);
  show(diagnostics.list, context, color);
  context.signals.takeOver?.();
  const { stateDirectory, directory } = project;
  const texts = textsFor(stateDirectory, context);
  let ui: Ui;
  try {
    ui = await startUi({ stateDirectory, directory, cwd: context.cwd, config: configOption(project), texts }, port);
  } catch (error) {
    const message = `cannot listen on port ${port}: ${whyFailed(error)}`;
    return refuse([{ severity: 'error', message, hint: 'without --port, Evenkeel takes a free one' }], context, color);
  }
  context.stdout.reveal(`${ui.url}\n`);
  context.stderr.write('Open this address in a browser on this machine; press Ctrl-C to stop.\n');
  if (!context.signals.drain.aborted) await once(context.signals.drain, 'abort');
  await ui.close();
  return EXIT.ok;
}

/** Loaded when a page needs them: modules and templates are most of Evenkeel. */
function textsFor(stateDirectory: string, context: CommandContext): GroupedTexts {
  return {
    plan: async (file) => (await import('../plan/command.js')).savedPlanText(file, context),
    drift: async (run) => (await import('../drift/command.js')).keptDriftLines(stateDirectory, run, context),
  };
}
