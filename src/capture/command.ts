import path from 'node:path';
import { checkPorts } from '../cli/check_progress.js';
import type { CommandContext } from '../cli/context.js';
import { reportOutcome } from '../cli/run_ports.js';
import { EXIT } from '../core/model/exit_code.js';
import { sum } from '../core/model/values/json.js';
import { colourWanted, createPalette, type Palette } from '../reporting/text/palette.js';
import { oneLine } from '../reporting/text/plain.js';
import { commandLine, count, fileWord, nameSome } from '../reporting/text/words.js';
import { PLAYBOOK, SECRETS_FILE, tenantFolder } from './capture_files.js';
import { captureFleet, compareFleet, type CaptureOptions, type CaptureResult } from './capture_fleet.js';
import { comparisonJson, comparisonText, unreadLines } from './compare/text.js';
import type { CapturedSecret } from './playbook/shared_content.js';
import type { FleetOptions } from './read_fleet.js';

/** `evenkeel capture`: writes the fleet as it is, as a playbook with its variables. */
export async function captureCommand(
  options: CaptureOptions & { readonly color?: boolean | undefined },
  context: CommandContext,
): Promise<number> {
  const outcome = await captureFleet(options, await checkPorts(context, options));
  if (outcome.status !== 'captured') return reportOutcome(outcome, options, context);
  const { stdout, env } = context;
  stdout.write(captureText(outcome.result, options, createPalette(colourWanted(stdout, env, options.color))));
  context.signals.workDone?.();
  return readingExitCode(outcome.result);
}

/** A controller that was not read may differ. */
function readingExitCode({ interrupted, unread }: Pick<CaptureResult, 'interrupted' | 'unread'>): number {
  if (interrupted) return EXIT.interrupted;
  return unread.length > 0 ? EXIT.unreachable : EXIT.ok;
}

const MOST_SECRETS = 20;
const MOST_NAMES = 5;

/** Reports what was captured, what is missing, and what to do next. */
function captureText(
  { controllers, captures, unread, config }: CaptureResult,
  options: CaptureOptions,
  palette: Palette,
): string {
  const { out } = options;
  if (captures.length === 0) return lines([...unreadLines(unread, palette), 'nothing was written']);
  const projects = captures.map(({ project }) => project);
  const objects = sum(projects.map((one) => one.objects));
  const leftOut = sum(projects.map((one) => one.leftOut));
  const circular = projects.flatMap((one) => one.circular);
  const inTenants = options.tenant === undefined ? '' : ` in ${count(captures.length, 'tenant')}`;
  const captured = `captured ${count(objects, 'object')} of ${count(controllers.length, 'controller')}${inTenants} in ${out}`;
  const came = `left out: ${count(leftOut, 'object')} that came with the controllers, equal on all of them (--all captures them)`;
  const circle = `refer to each other in a circle, so a new controller cannot get them in one run: ${nameSome(circular, MOST_NAMES)}`;
  return lines([
    palette.strong(captured),
    ...(leftOut > 0 ? [came] : []),
    ...captures.flatMap(({ tenant, project }) =>
      secretLines(project.secrets, tenant === undefined ? out : path.join(out, tenantFolder(tenant))),
    ),
    ...(circular.length > 0 ? [palette.warning(circle)] : []),
    ...unreadLines(unread, palette),
    `check it with: ${checkCommand(options, config)}`,
  ]);
}

function lines(texts: readonly string[]): string {
  return `${texts.map(oneLine).join('\n')}\n`;
}

function secretLines(secrets: readonly CapturedSecret[], out: string): readonly string[] {
  if (secrets.length === 0) return [];
  const shown = secrets
    .slice(0, MOST_SECRETS)
    .map(
      ({ variable, object, path, controllers }) =>
        `  ${variable}: ${object}: ${path}, on ${count(controllers, 'controller')}`,
    );
  const left = secrets.length - MOST_SECRETS;
  return [
    `${count(secrets.length, 'secret')} to fill in, in ${path.join(out, SECRETS_FILE)}:`,
    ...shown,
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}

/** The command includes the options that select controllers and sign in. */
function checkCommand(options: CaptureOptions, config: readonly string[]): string {
  const { inventory, env, extraVars, vaultId, vaultPasswordFile, askVaultPass, user, askPass, simulate } = options;
  const repeated = (option: string, values: readonly unknown[] = []): readonly string[] =>
    values.flatMap((value) => (typeof value === 'string' ? [option, value] : []));
  const flag = (option: string, given: boolean | undefined): readonly string[] => (given === true ? [option] : []);
  return commandLine([
    'evenkeel',
    'run',
    fileWord(path.join(options.out, PLAYBOOK)),
    ...repeated('-i', inventory),
    ...repeated('--env', [env]),
    ...repeated('-e', extraVars),
    ...repeated('--vault-id', vaultId),
    ...repeated('--vault-password-file', vaultPasswordFile),
    ...flag('-J', askVaultPass),
    ...repeated('-u', [user]),
    ...flag('-k', askPass),
    ...flag('--simulate', simulate),
    '--check',
    ...config,
  ]);
}

export interface CompareOptions extends FleetOptions {
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** `evenkeel compare`: shows which controllers differ from the others, and how. */
export async function compareCommand(options: CompareOptions, context: CommandContext): Promise<number> {
  const outcome = await compareFleet(options, await checkPorts(context, options));
  if (outcome.status !== 'compared') return reportOutcome(outcome, options, context);
  const { comparison } = outcome;
  const { stdout, env, secrets } = context;
  const palette = createPalette(colourWanted(stdout, env, options.color));
  stdout.write(
    options.json === true ? comparisonJson(comparison, secrets) : comparisonText(comparison, secrets, palette),
    options,
  );
  context.signals.workDone?.();
  const code = readingExitCode(comparison);
  return code === EXIT.ok && !comparison.isEqual ? EXIT.changes : code;
}
