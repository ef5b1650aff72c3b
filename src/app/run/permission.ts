import { nextRunId } from '../../journal/disk/run_folders.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import { plain } from '../../report/text/plain.js';
import type { Credentials } from '../../run/input/run_input.js';
import { lockControllers, type LockAnswer, type Permit } from '../lock/lock_controllers.js';
import { consent } from './consent.js';
import { EXIT, type CommandContext } from '../../cli/context.js';
import type { ExecutionOptions } from '../request/options.js';
import type { Performance } from './prepared_run.js';
import { preflightErrors, type PreflightRequest } from './preflight.js';
import { askSecret } from '../../cli/terminal/prompt.js';
import { refuse, show } from '../../cli/terminal/refusal.js';
import { unlock } from '../load/decrypt_ahead.js';

const ASKED_LATER = 'asked for later';

/** What a run must have before it begins. */
export interface Admitted {
  readonly id: string;
  /** The holder releases it. */
  readonly permit: Permit;
  readonly credentials: Credentials;
}

export type Admission =
  | { readonly status: 'admitted'; readonly admitted: Admitted }
  /** The reason was printed; nothing was contacted. */
  | { readonly status: 'refused'; readonly exitCode: number };

/** Asks what must be asked, and keeps other runs from the controllers. */
export async function admit(performance: Performance, context: CommandContext): Promise<Admission> {
  const { loaded, options } = performance;
  const { errors, advice } = await preflightErrors(preflightRequest(performance, context));
  if (errors.length > 0) {
    const exitCode = refuse(errors, context, options.color);
    context.stderr.write('evenkeel: no controller was contacted\n');
    // A resumed run has the controllers that it had.
    if (advice !== undefined && performance.keeping?.kept === undefined)
      context.stderr.write(`evenkeel: ${plain(advice)}\n`);
    return refusedWith(exitCode);
  }
  const refused = performance.agreed === true ? undefined : await consent(performance, context);
  if (refused !== undefined) {
    context.stderr.write(`evenkeel: ${refused.message}\n`);
    return refusedWith(refused.exitCode);
  }
  const { secrets } = loaded.target;
  const credentials = await credentialsOf(options, context);
  if (credentials === undefined) {
    context.stderr.write(
      'evenkeel: -k needs a password from the terminal, and none was entered; nothing was contacted\n',
    );
    return refusedWith(EXIT.usage);
  }
  if (credentials.password !== undefined) secrets.add(credentials.password);
  const diagnostics = new Diagnostics();
  await unlock(loaded, performance.selected, diagnostics);
  show(diagnostics.list, context, options.color);
  const id = performance.keeping?.kept?.header.id ?? (await nextRunId(loaded.target.project.stateDirectory));
  const locked = await lockFor(performance, id, context);
  if (locked.status === 'interrupted') {
    context.stderr.write('evenkeel: interrupted: nothing was contacted\n');
    return refusedWith(EXIT.interrupted);
  }
  if (locked.status === 'refused') return refusedWith(refuse(locked.diagnostics, context, options.color));
  return { status: 'admitted', admitted: { id, permit: locked.permit, credentials } };
}

/** `-k` asks for the password once everything else is in order. */
function preflightRequest(
  { loaded, options, answers, keeping }: Performance,
  context: CommandContext,
): PreflightRequest {
  const { user, askPass, tags = [], skipTags = [], startAtTask, verbosity, forks, limit: typedLimit } = options;
  return {
    ...{ loaded, answers, tags, skipTags, startAtTask, verbosity, forks, typedLimit },
    cwd: context.cwd,
    version: context.version,
    check: options.check === true,
    diff: options.diff !== undefined,
    simulate: options.simulate === true,
    credentials: {
      ...(user !== undefined && { username: user }),
      ...(askPass === true && { password: ASKED_LATER }),
    },
    past: keeping?.kept?.past,
    signal: context.drain,
  };
}

function refusedWith(exitCode: number): Admission {
  return { status: 'refused', exitCode };
}

/** The credentials of `-u` and `-k`; undefined if no password was entered. */
async function credentialsOf(options: ExecutionOptions, context: CommandContext): Promise<Credentials | undefined> {
  const username = options.user === undefined ? {} : { username: options.user };
  if (options.askPass !== true) return username;
  const password = await askSecret('Controller password: ', context);
  return password === undefined ? undefined : { ...username, password };
}

function lockFor(
  { loaded, selected, options, answers, label }: Performance,
  run: string,
  { env, stderr, drain, argv: [command = ''] }: CommandContext,
): Promise<LockAnswer> {
  return lockControllers({
    run,
    loaded,
    selected,
    answers,
    check: options.check === true,
    simulate: options.simulate === true,
    wait: options.wait === true,
    command: `evenkeel ${command} ${label}`,
    env,
    signal: drain,
    tell: (message, importance) => {
      if (importance === 'always' || options.verbosity > 0) stderr.write(`evenkeel: ${plain(message)}\n`);
    },
  });
}
