import type { Diagnostics, Diagnostic } from '../model/diagnostic.js';
import type { CommandContext } from './context.js';
import { differences } from './fingerprint/differences.js';
import { fingerprintOf } from './fingerprint/fingerprint.js';
import { readFingerprint, settingsOf } from './invocation/read_invocation.js';
import type { LoadedRun } from './load_run.js';
import type { ResumeOptions, RunSettings } from './options.js';
import { refuse } from './refusal.js';
import { openKept, type KeptAsked } from './resume/open_kept.js';
import { whyNot } from './resume/why_not.js';
import { undertake } from './undertake.js';

/** `evenkeel resume RUN`: finishes a run that was cut off, under the same id. */
export async function resumeCommand(options: ResumeOptions, context: CommandContext): Promise<number> {
  const opened = await openKept(options.run, context, (asked) => goOn(asked, options, context));
  return opened.status === 'ok' ? opened.value : refuse(opened.diagnostics, context, options.color);
}

function goOn(asked: KeptAsked, options: ResumeOptions, context: CommandContext): Promise<number> {
  const { kept, invocation } = asked;
  const refusals = whyNot(asked, options);
  if (refusals.length > 0) return Promise.resolve(refuse(refusals, context, options.color));
  const examine = (loaded: LoadedRun, diagnostics: Diagnostics): void => {
    const told = changes(asked, loaded, context.version);
    if (told.length === 0) return;
    diagnostics.add(told.map((message) => ({ severity: options.force === true ? 'warning' : 'error', message })));
    if (options.force !== true) diagnostics.add([notTheSame(kept.header.id)]);
  };
  const settings: RunSettings = { ...settingsOf(invocation), ...options };
  return undertake(
    { command: invocation.command, options: settings, answers: invocation.answers, resumed: { kept, examine } },
    { ...context, cwd: invocation.cwd },
  );
}

/** Sentences: what is another than when the run was begun. */
function changes({ kept, invocation }: KeptAsked, loaded: LoadedRun, version: string): readonly string[] {
  const { id, fingerprint } = kept.header;
  const then = fingerprint && readFingerprint(fingerprint);
  if (then === undefined) return [`nothing is known of what run ${id} was made from`];
  const { cwd, fingerprintKey: key } = invocation;
  return differences(then, fingerprintOf(loaded, { version, cwd, key }));
}

function notTheSame(id: string): Diagnostic {
  return {
    severity: 'error',
    message: `run ${id} was made from something else: it is not gone on with`,
    hint: `put back what has changed, or pass --force: what is done stays done, and what is left is done as it stands now`,
  };
}
