import { colourWanted } from '../cli/colour.js';
import type { CommandContext } from '../cli/context.js';
import { loadingPorts } from '../cli/prompt.js';
import { show } from '../cli/refusal.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { runRequest, type RunOptions } from '../launch/request/run_request.js';
import { createPalette } from '../reporting/text/palette.js';
import { safeJson } from '../reporting/text/plain.js';
import { fleetDifference, FleetFields, type FleetDifference } from './difference.js';
import { renderFleet, type RenderedFleet } from './render_fleet.js';
import { differenceLines, renderedJson, renderedYaml } from './text.js';

export interface RenderOptions extends RunOptions {
  readonly playbooks: readonly string[];
  /** The environment to compare with. */
  readonly against?: string | undefined;
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** `evenkeel render PLAYBOOK…`, and `evenkeel render PLAYBOOK… --env A --against B`. */
export async function renderCommand(options: RenderOptions, context: CommandContext): Promise<number> {
  const { against, json } = options;
  const diagnostics = new Diagnostics();
  const finish = (code: number): number => {
    show(diagnostics.list, context, options.color);
    if (context.signals.drain.aborted) return EXIT.interrupted;
    return diagnostics.failed() ? EXIT.usage : code;
  };
  if (against !== undefined) {
    const difference = await differenceOf(options, against, context, diagnostics);
    if (difference === undefined || diagnostics.failed()) return finish(EXIT.usage);
    writeDifference(difference, options, context);
    return finish(difference.groups.length === 0 ? EXIT.ok : EXIT.changes);
  }
  const fleet = await rendered(options, options.env, context, diagnostics);
  if (fleet === undefined) return finish(EXIT.usage);
  const { stdout } = context;
  const texts = json === true ? renderedJson(fleet.controllers) : renderedYaml(fleet.controllers);
  for await (const text of texts) {
    stdout.write(text, { json });
    await stdout.keptUp();
  }
  fleet.problems(diagnostics);
  return finish(EXIT.ok);
}

function rendered(
  options: RenderOptions,
  env: string | undefined,
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<RenderedFleet | undefined> {
  const request = runRequest({ type: 'run', playbooks: options.playbooks }, { ...options, env });
  return renderFleet(request, { ...context, ...loadingPorts(context) }, diagnostics);
}

async function differenceOf(
  options: RenderOptions,
  against: string,
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<FleetDifference | undefined> {
  const fields: FleetFields[] = [];
  for (const env of [against, options.env]) {
    const fleet = await rendered(options, env, context, diagnostics);
    if (fleet === undefined) return undefined;
    const found = new FleetFields();
    for await (const one of fleet.controllers) found.add(one);
    fleet.problems(diagnostics);
    fields.push(found);
  }
  const [before, after] = fields;
  return before && after && fleetDifference(before, after);
}

function writeDifference(
  difference: FleetDifference,
  { against = '', env, json, color }: RenderOptions,
  { stdout, env: variables }: CommandContext,
): void {
  const names = { before: against, after: env ?? 'the default inventory' };
  if (json === true) stdout.write(`${safeJson({ schemaVersion: 1, ...names, ...difference })}\n`, { json });
  else {
    const palette = createPalette(colourWanted(stdout, variables, color));
    stdout.write(`${differenceLines(difference, names, palette).join('\n')}\n`);
  }
}
