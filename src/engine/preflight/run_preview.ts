import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Variables } from '../../language/scope.js';
import type { LoopYielder } from '../control/clock.js';
import type { MagicContext } from '../controllers/magic.js';
import type { EngineRecord, RunIdentity, RunInput } from '../input/run_input.js';
import type { StartAt } from '../keywords/selected_steps.js';
import type { Addresses } from './addresses.js';
import type { ConnectionInput } from './connection_findings.js';
import type { LaterVariables, LeftOutVariables } from './later_variables.js';

export interface PreflightInput extends Pick<RunInput, 'settings' | 'selection' | 'sources'> {
  readonly identity: Omit<RunIdentity, 'id' | 'simulated'>;
  readonly connections: Omit<ConnectionInput, 'unset'>;
  /** Records of the run that is resumed. */
  readonly past?: EngineRecord['past'];
  /** The run is a rollback. */
  readonly restores?: boolean | undefined;
  /** Aborted: the preview ends early. */
  readonly signal: AbortSignal;
}

/** The state that all plays of a preview share. */
export interface RunPreview {
  readonly input: PreflightInput;
  readonly magic: MagicContext['run'];
  readonly connection: ConnectionInput;
  readonly addresses: Addresses;
  readonly start: StartAt;
  readonly loopYielder: LoopYielder;
  readonly variables: PreviewVariables;
  readonly controllers: PreviewControllers;
  /** Called for each controller that has a finding, before its messages are shown. */
  readonly learn: (layers: readonly VariableLayer[], scope: Variables) => void;
}

/** Variables that tasks may have set so far, and those that skipped tasks would have set. */
interface PreviewVariables {
  /** Set for any controller, as another one sees it (`hostvars`). */
  readonly anywhere: LaterVariables;
  /** What any task may set for all controllers. */
  readonly shared: LaterVariables;
  /** Variables that earlier plays may set, by controller. */
  readonly later: Map<string, LaterVariables>;
  /** Set by tasks of this play and earlier ones that do not run. */
  readonly leftOut: LeftOutVariables;
}

interface PreviewControllers {
  /** Controllers whose connection was checked. */
  readonly connected: Set<string>;
  /** Controllers that will have failed. */
  readonly failed: Set<string>;
}
