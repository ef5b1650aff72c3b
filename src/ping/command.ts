import { checkPorts } from '../cli/check_progress.js';
import type { CommandContext } from '../cli/context.js';
import { reportOutcome } from '../cli/run_ports.js';
import { EXIT } from '../core/model/exit_code.js';
import type { TaskFinished } from '../core/model/run/event.js';
import type { Ping, PingFailure } from '../core/model/run/ping.js';
import { groupBy, type NonEmpty } from '../core/model/values/groups.js';
import { jsonText } from '../core/model/values/value.js';
import { maskText, type Masked } from '../core/secrets/mask_text.js';
import { reportWrongTerms } from '../launch/load/limits.js';
import type { RunPorts } from '../launch/load/ports.js';
import type { RunOptions } from '../launch/request/run_request.js';
import type { NotPermitted } from '../launch/start/permission.js';
import { openReading, runReading, type ReadingContext, type ReadingEnd } from '../launch/start/reading_playbook.js';
import { openProjectCatalogue } from '../launch/user_code/project_modules.js';
import { generalMessage } from '../reporting/text/messages.js';
import { colourWanted, createPalette, type Palette } from '../reporting/text/palette.js';
import { oneLine } from '../reporting/text/plain.js';
import { columnWidth, pad } from '../reporting/text/width.js';
import { count, grouped, nameControllers } from '../reporting/text/words.js';

const MOST_NAMES = 5;
/** A fleet with more controllers is shown in groups, as in a recap. */
const MOST_ROWS = 20;
const MOST_REASONS = 20;
/** Certificates that end earlier than this are highlighted. */
const FEW_DAYS = 30;

export interface PingOptions extends PingFleetOptions {
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** `evenkeel ping`: whether each controller can be used, and what is in the way. */
export async function pingCommand(options: PingOptions, context: CommandContext): Promise<number> {
  const outcome = await pingFleet(options, await checkPorts(context, options));
  if (outcome.status !== 'pinged') return reportOutcome(outcome, options, context);
  const { stdout, env } = context;
  const { fleet } = outcome;
  const palette = createPalette(colourWanted(stdout, env, options.color));
  stdout.write(options.json === true ? pingJson(fleet) : pingText(fleet, palette), options);
  context.signals.workDone?.();
  return pingExitCode(fleet);
}

function pingJson({ reached, unreached }: PingedFleet): string {
  const controllers = [...reached.map((one) => ({ ...one, status: 'ok' })), ...unreached];
  return `${jsonText({ controllers }, undefined, 2)}\n`;
}

function pingExitCode({ unreached, interrupted }: PingedFleet): number {
  if (interrupted) return EXIT.interrupted;
  if (unreached.some(({ status }) => status === 'failed')) return EXIT.failed;
  return unreached.length > 0 ? EXIT.unreachable : EXIT.ok;
}

/** For people: failures by cause, after a line for each controller or for each group of equal ones. */
export function pingText({ reached, unreached }: PingedFleet, palette: Palette): string {
  const total = reached.length + unreached.length;
  const groups = [...groupBy(reached, (one) => (total > MOST_ROWS ? likeness(one) : one.controller)).values()];
  const causes = [...groupBy(unreached, cause).values()];
  const width = columnWidth(groups.map(namesText), 60);
  const left = causes.length - MOST_REASONS;
  const lines = [
    ...groups.map((group) => `${pad(namesText(group), width)}  ${palette.good('ok')}  ${factsText(group, palette)}`),
    ...causes.slice(0, MOST_REASONS).flatMap((group) => causeLines(group, palette)),
    ...(left > 0 ? [palette.faint(`${count(left, 'more cause')}; --json shows all`)] : []),
    palette.strong([count(total, 'controller'), `${grouped(reached.length)} ok`, ...notOk(unreached)].join(' · ')),
  ];
  return `${lines.join('\n')}\n`;
}

function notOk(unreached: readonly Unreached[]): readonly string[] {
  const words = { failed: 'failed', unreachable: 'unreachable', unstarted: 'not contacted' } as const;
  const counted = groupBy(unreached, ({ status }) => words[status]);
  return Object.values(words).flatMap((word) =>
    counted.has(word) ? [`${grouped(counted.get(word)?.length ?? 0)} ${word}`] : [],
  );
}

type Alike<T> = Readonly<NonEmpty<T>>;

function namesText(group: Alike<{ readonly controller: string }>): string {
  const names = group.map(({ controller }) => controller);
  return nameControllers(names, MOST_NAMES);
}

/** Addresses, times and the end of certificates differ between controllers of a group. */
function likeness({ route, tls, username, sign_in, version, api_version, tenant }: Reached): string {
  return JSON.stringify([route, tls?.protocol, tls?.issuer, username, sign_in, version, api_version, tenant]);
}

function factsText(group: Alike<Reached>, palette: Palette): string {
  const [{ address, route, username, sign_in, tenant }] = group;
  const times = range(group.map(({ milliseconds }) => Math.round(milliseconds ?? 0)));
  return [
    ...(group.length === 1 && address !== null ? [address] : []),
    ...(route === null ? [] : [`through ${route}`]),
    tlsText(group, palette),
    `${username} (${sign_in})`,
    ...versionText(group[0]),
    ...(tenant === null ? [] : [`tenant ${tenant}`]),
    `${times} ms`,
  ].join(' · ');
}

function tlsText(group: Alike<Reached>, palette: Palette): string {
  const [{ tls }] = group;
  if (tls === null) return palette.warning('no TLS');
  const days = group.flatMap((one) => (one.tls === null ? [] : [one.tls.days_left]));
  const left = `${range(days)} ${days.every((one) => one === 1) ? 'day' : 'days'} left`;
  const ends = Math.min(...days) < FEW_DAYS ? palette.warning(left) : left;
  return `${tls.protocol}, certificate of ${oneLine(tls.issuer)}, ${ends}`;
}

function versionText({ version, api_version: sent }: Reached): readonly string[] {
  if (version === null) return sent === null ? [] : [`API version ${sent}`];
  return [version === sent || sent === null ? `version ${version}` : `version ${version}, API version ${sent}`];
}

/** `12`, `3–90` */
function range(numbers: readonly number[]): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? String(least) : `${least}–${most}`;
}

function cause({ controller, step, message, hint }: Unreached): string {
  return JSON.stringify([step, generalMessage(message, controller), hint]);
}

function causeLines(group: Alike<Unreached>, palette: Palette): readonly string[] {
  const [{ step, message, hint }] = group;
  const where = step === null ? '' : `${step}: `;
  return [
    palette.bad(`${namesText(group)}: ${where}${oneLine(message)}`),
    ...(hint === null ? [] : hint.split('\n').map((line) => palette.faint(`  ${oneLine(line)}`))),
  ];
}

interface PingFleetOptions extends RunOptions {
  /** Absent: all controllers. */
  readonly pattern?: string | undefined;
}

/** A controller that can be used. */
export interface Reached extends Omit<Ping, 'failure'> {
  readonly controller: string;
}

export interface Unreached extends Pick<PingFailure, 'hint'> {
  readonly controller: string;
  /** `unstarted`: the command ended before. */
  readonly status: PingFailure['status'] | 'unstarted';
  /** Null: nothing was sent. */
  readonly step: PingFailure['step'] | null;
  readonly message: Masked<string>;
}

interface PingedFleet {
  readonly reached: readonly Reached[];
  readonly unreached: readonly Unreached[];
  readonly interrupted: boolean;
}

type PingOutcome = { readonly status: 'pinged'; readonly fleet: PingedFleet } | NotPermitted;

/** Contacts all controllers of a pattern, once each, in a check run of a generated playbook. Keeps no journal. */
async function pingFleet(options: PingFleetOptions, ports: RunPorts): Promise<PingOutcome> {
  const reading = await openReading(options, ports);
  const { target, diagnostics } = reading;
  const { pattern = 'all' } = options;
  reportWrongTerms(target.inventory, 'ping', [{ pattern, source: undefined }], diagnostics);
  const pings = new Map<string, Ping>();
  const work = {
    label: 'ping',
    pattern,
    kinds: () => openProjectCatalogue(undefined, target.project, ports, diagnostics).kinds(),
    read: async (context: ReadingContext) => {
      pings.set(context.controller, await context.ping(false));
      return {};
    },
  };
  const outcome = await runReading(reading, work, ports);
  if (outcome.status !== 'read') return outcome;
  const mask = (text: string): Masked<string> => maskText(text, target.secrets);
  return { status: 'pinged', fleet: { ...sorted(outcome, pings, mask), interrupted: outcome.interrupted } };
}

/** The parts of a fleet that can be used, and that cannot, in the order of the inventory. */
function sorted(
  { controllers, failures }: Pick<ReadingEnd, 'controllers' | 'failures'>,
  pings: ReadonlyMap<string, Ping>,
  mask: (text: string) => Masked<string>,
): Pick<PingedFleet, 'reached' | 'unreached'> {
  const reached: Reached[] = [];
  const unreached: Unreached[] = [];
  for (const controller of controllers) {
    const { failure, ...facts } = pings.get(controller) ?? { failure: null };
    if (failure === null && 'url' in facts) reached.push({ controller, ...facts });
    else unreached.push({ controller, ...reason(failure, failures.get(controller), mask) });
  }
  return { reached, unreached };
}

function reason(
  failure: PingFailure | null,
  failed: Partial<TaskFinished> = {},
  mask: (text: string) => Masked<string>,
): Omit<Unreached, 'controller'> {
  if (failure !== null)
    return { step: failure.step, message: mask(failure.message), hint: failure.hint, status: failure.status };
  const { message, hint = null, status } = failed;
  const text = mask(message ?? 'the command ended before it was contacted');
  return {
    step: null,
    message: text,
    hint,
    status: status === 'failed' || status === 'unreachable' ? status : 'unstarted',
  };
}
