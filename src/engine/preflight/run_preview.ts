import { SecretFinder } from '../../core/secrets/secret_finder.js';
import { BUILT_IN_LIBRARY, Library } from '../../language/library.js';
import { hasTemplate } from '../../language/syntax/template.js';
import { LoopYielder } from '../control/clock.js';
import { Fleet } from '../controllers/fleet.js';
import { LiveInventory } from '../controllers/live_inventory.js';
import type { MagicContext } from '../controllers/magic.js';
import type { EngineRecord, RunIdentity, RunInput } from '../input/run_input.js';
import { StartAt } from '../keywords/selected_steps.js';
import { Addresses } from './addresses.js';
import type { ConnectionInput } from './connection_findings.js';
import { LaterVariables, LeftOutVariables } from './later_variables.js';

export interface PreflightInput extends Pick<RunInput, 'settings' | 'selection' | 'sources'> {
  readonly identity: Omit<RunIdentity, 'id' | 'simulated'>;
  readonly connections: Omit<ConnectionInput, 'unset'>;
  /** Records of the run that is resumed. */
  readonly past?: EngineRecord['past'];
  /** The run is a rollback. */
  readonly restores?: boolean | undefined;
  /** Aborted: the preview ends early. */
  readonly drain: AbortSignal;
}

/** Variables that the run itself sets around some tasks. */
const SET_BY_RUN = ['ansible_facts', 'ansible_failed_task', 'ansible_failed_result', 'ansible_delegated_vars'];

/** The state that all plays of a preview share. */
export class RunPreview {
  readonly magic: MagicContext['run'];
  readonly connection: ConnectionInput;
  readonly addresses: Addresses;
  readonly start: StartAt;
  readonly secrets: SecretFinder;
  readonly loopYielder = new LoopYielder();
  /** What any task may set for all controllers. */
  readonly shared = new LaterVariables(SET_BY_RUN);
  /** Variables that tasks may set for any controller, as another one sees it (`hostvars`). */
  readonly anywhere = new LaterVariables([], this.shared);
  /** Variables that earlier plays may set, by controller. */
  readonly later = new Map<string, LaterVariables>();
  /** Set by tasks of this play and earlier ones that do not run. */
  readonly leftOut = new LeftOutVariables();
  /** Controllers whose connection was checked. */
  readonly connected = new Set<string>();
  /** Controllers that will have failed. */
  readonly failed = new Set<string>();

  /** @param unset receives the names of environment variables that are not set */
  constructor(
    readonly input: PreflightInput,
    unset: Set<string>,
  ) {
    const { identity, selection, sources, connections } = input;
    const { library = BUILT_IN_LIBRARY, inventory } = sources;
    const fleet = new Fleet(new LiveInventory(inventory));
    this.magic = { input: { ...input, identity: { ...identity, id: '' } }, fleet };
    const local =
      connections.plan?.type === 'follow'
        ? new Library(library.table, library.withheld, { unset: (name) => unset.add(name), readsLocal: true })
        : undefined;
    this.connection = { ...connections, unset, local };
    this.addresses = new Addresses(connections.settingSources.routes ?? new Map(), library);
    this.start = new StartAt(selection.startAtTask);
    this.secrets = new SecretFinder(sources.secrets, inventory, hasTemplate);
  }
}
