import type { Value } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Variables } from '../../template/scope.js';
import type { LoopYielder } from '../control/loop_yielder.js';
import type { MagicContext } from '../controllers/magic.js';
import type { RunInput } from '../input/run_input.js';
import type { Start } from '../keywords/selected_steps.js';
import type { ConnectionInput } from './connection_findings.js';
import type { LaterVariables } from './later_variables.js';
import type { LeftOutVariables } from './left_out.js';

/** What a preview needs of the run that is about to begin. */
export interface PreflightInput extends Pick<
  RunInput,
  | 'version'
  | 'playbooks'
  | 'inventory'
  | 'inventorySources'
  | 'extraVars'
  | 'catalogue'
  | 'library'
  | 'limit'
  | 'limitPattern'
  | 'tags'
  | 'skipTags'
  | 'forks'
  | 'startAtTask'
  | 'answers'
  | 'check'
  | 'diff'
  | 'verbosity'
  | 'environment'
  | 'projectFile'
  | 'credentials'
  | 'secrets'
  | 'readVariables'
  | 'settingSources'
  | 'past'
  | 'signal'
> {
  /** What is wrong with a `controller_simulation`. Absent: it has no effect on the run. */
  readonly examineSimulation?: ((value: Value) => readonly string[]) | undefined;
}

/** What all plays of a preview share. */
export interface RunPreview {
  readonly input: PreflightInput;
  readonly magic: MagicContext['run'];
  readonly connection: ConnectionInput;
  readonly start: Start;
  readonly loopYielder: LoopYielder;
  /** What any controller may have by now, as another one sees it (`hostvars`). */
  readonly anywhere: LaterVariables;
  /** What any task may set for all controllers. */
  readonly shared: LaterVariables;
  /** Of this play and earlier ones. */
  readonly leftOut: LeftOutVariables;
  /** By controller: what tasks of earlier plays may have set. */
  readonly later: Map<string, LaterVariables>;
  /** Controllers whose connection was looked at. */
  readonly connected: Set<string>;
  /** Controllers that will have failed. */
  readonly failed: Set<string>;
  /** Called for each controller that has a finding, before its messages are shown. */
  readonly learn: (layers: readonly VariableLayer[], scope: Variables) => void;
}
