import type { Journal } from '../../../model/run/journal.js';
import type { PlanGuide, PlanMaker } from '../../../model/run/plan.js';
import type { Past } from '../../../model/run/past.js';
import type { OpenWrittenSecrets } from '../../../model/run/written_secrets.js';
import type { VariableLayer } from '../../../model/values/variables.js';
import type { RunContext, RunState } from '../../context/run_context.js';
import type { Fleet } from '../../controllers/fleet.js';
import { reporting } from './hosted_plan.js';
import type { HostedInput } from './hosted_plays.js';
import type { HostKnowledge } from './host_knowledge.js';
import type { WalkOptions } from '../walk_order.js';
import type { Link } from './link.js';
import { remoteControl } from './remote_control.js';

/** The parts of a walk that differ from the run. */
interface WalkOfHost {
  readonly link: Link;
  readonly past: Past | undefined;
  /** Tasks may use controllers of other walks. */
  readonly usesOtherControllers: boolean;
  readonly options: WalkOptions;
  readonly known: HostKnowledge;
  /** The plan that the run makes or applies. */
  readonly plan: PlanMaker | PlanGuide | undefined;
  readonly revoked: AbortSignal;
}

/** A run without walks. */
interface RunOfHost extends Pick<Journal, 'digest' | 'broken'> {
  readonly state: RunState;
  readonly input: HostedInput;
}

/** One walk's view of the run in a worker: its events, records and calls go to the coordinator. */
export function runOfWalk(
  { state, input, digest, broken }: RunOfHost,
  { link, past, usesOtherControllers, options, known, plan, revoked }: WalkOfHost,
): RunContext {
  const { sources } = input;
  const { control } = state;
  return {
    ...state,
    emit: (event) => {
      link.tell({ type: 'event', event, time: new Date().toISOString() });
    },
    count: (task) => {
      link.tell({ type: 'count', task });
    },
    control: remoteControl(link, control, {
      usesOtherControllers,
      confirms: options.confirms,
      // A revoked walk finishes requests in flight, and starts nothing new.
      stopSignals: control.stopSignals.withBroken(revoked),
    }),
    inventoryChanges: {
      addHost: (effect) => known.change({ effect }, link),
      joinGroup: ({ name }, effect) => known.change({ effect, controller: name }, link),
    },
    input: {
      ...input,
      ...(plan?.type === 'make' && { sources: { ...sources, readVariables: reporting(link, sources.readVariables) } }),
      user: {
        ask: ({ question, hidden }) =>
          link.call({ type: 'ask', question, hidden }).then((answer) => answer ?? undefined),
      },
      record: {
        plan,
        journal: journalOf(link, { digest, broken }, options.shares ? state.fleet : undefined),
        past,
        lastWritten: async (at) => (await link.call({ type: 'last written', at })) ?? undefined,
        writtenSecrets: writtenSecretsOf(link),
        ...(options.wantsResults && {
          onResult: (found) => {
            link.tell({ type: 'result', found });
          },
        }),
      },
    },
  };
}

/**
 * @param shared controllers whose variables others may read. Records lack variables from files, because a replay reads
 * them again
 */
function journalOf(link: Link, journal: Pick<Journal, 'digest' | 'broken'>, shared: Fleet | undefined): Journal {
  let sent: readonly VariableLayer[] = [];
  return {
    ...journal,
    intend: (intent) => link.callDurably({ type: 'intend', intent }),
    record: (record) => {
      const isAgain = record.type === 'step-settled' && record.left?.again === true;
      const included = isAgain ? shared?.find(record.controller)?.known.included : undefined;
      if (included !== undefined && included !== sent) link.tell({ type: 'variables included', included });
      sent = included ?? sent;
      link.tell({ type: 'record', record });
    },
  };
}

function writtenSecretsOf(link: Link): OpenWrittenSecrets {
  return (place) =>
    Promise.resolve({
      compare: (object, fields) => link.call({ type: 'compare secrets', place, object, fields }),
      keep: async (object, fields) => {
        await link.call({ type: 'keep secrets', place, object, fields });
      },
      note: (object, fields) => link.call({ type: 'note secrets', place, object, fields }),
    });
}
