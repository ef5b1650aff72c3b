import type { Diagnostics, Diagnostic } from '../../model/source/diagnostic.js';
import { asBefore, type CommandContext } from '../context.js';
import { differences } from '../../app/resume/differences.js';
import { fingerprintOf, type Fingerprint } from '../../app/load/fingerprint.js';
import { readFingerprint, settingsOf } from '../../app/request/read_invocation.js';
import type { LoadedRun } from '../../app/load/load_run.js';
import type { ResumeOptions, RunSettings } from '../../app/request/options.js';
import { refuse } from '../terminal/refusal.js';
import { movedControllers } from '../../app/resume/moved_controllers.js';
import { openKept, type KeptAsked } from '../../app/history/kept_request.js';
import { otherPlays } from '../../app/resume/other_plays.js';
import { refusalsOf } from '../../app/resume/refusals.js';
import { undertake } from '../../app/run/prepare_run.js';

/** `evenkeel resume RUN`: finishes a run that was cut off, under the same id. */
export async function resumeCommand(options: ResumeOptions, context: CommandContext): Promise<number> {
  const opened = await openKept(options.run, context, (asked) => goOn(asked, options, context));
  return opened.status === 'ok' ? opened.value : refuse(opened.diagnostics, context, options.color);
}

function goOn(asked: KeptAsked, options: ResumeOptions, context: CommandContext): Promise<number> {
  const { kept, invocation, outcome } = asked;
  const force = options.force === true;
  const refusals = refusalsOf(asked, options);
  if (refusals.length > 0) return Promise.resolve(refuse(refusals, context, options.color));
  const examine = (loaded: LoadedRun, diagnostics: Diagnostics): void => {
    const { then, now } = madeFrom(asked, loaded, context.version);
    const told = then === undefined ? [unknown(kept.header.id)] : differences(then, now);
    diagnostics.add(told.map((message) => ({ severity: force ? 'warning' : 'error', message })));
    diagnostics.add(movedControllers(kept, loaded));
    if (then !== undefined) diagnostics.add(otherPlays(then, now, outcome.begunPlays));
    if (told.length > 0 && !force) diagnostics.add([notTheSame(kept.header.id)]);
  };
  // Record the current inputs, so that later changes are compared with them.
  const fingerprint = (loaded: LoadedRun) => (force ? madeFrom(asked, loaded, context.version).now : undefined);
  const settings: RunSettings = { ...settingsOf(invocation), ...options };
  return undertake(
    {
      command: invocation.command,
      options: settings,
      answers: invocation.answers,
      resumed: { kept, examine, fingerprint },
    },
    asBefore(context, invocation),
  );
}

interface MadeFrom {
  /** Undefined if nothing of it is known. */
  readonly then: Fingerprint | undefined;
  readonly now: Fingerprint;
}

function madeFrom({ kept, invocation }: KeptAsked, loaded: LoadedRun, version: string): MadeFrom {
  const { fingerprint } = kept.header;
  const { cwd, fingerprintKey: key } = invocation;
  return {
    then: fingerprint && readFingerprint(fingerprint),
    now: fingerprintOf(loaded, { version, cwd, key }),
  };
}

function unknown(id: string): string {
  return `the inputs of run ${id} are not recorded`;
}

function notTheSame(id: string): Diagnostic {
  return {
    severity: 'error',
    message: `run ${id} cannot be resumed, because its inputs have changed`,
    hint: `undo the changes, or pass --force: finished tasks and items stay finished, and new or changed ones run as they are now`,
  };
}
