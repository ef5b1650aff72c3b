import type { Locate, Source } from '../../core/model/source/source.js';
import type { Mapping } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';

/** The position of a value, computed only if a message needs it; undefined for values without a file. */
export type LocateLazily = () => Source | undefined;

export interface GroupDraft {
  readonly name: string;
  readonly children: Set<string>;
  readonly parents: Set<string>;
  readonly controllers: Set<string>;
  /** The layers from inventory sources, weakest first; `group_vars` are added at the end. */
  readonly layers: VariableLayer[];
  priority: number;
  readonly place: LocateLazily;
}

export interface ControllerDraft {
  readonly name: string;
  /** Direct membership. */
  readonly groups: Set<string>;
  readonly layers: VariableLayer[];
  readonly origin: InventoryOrigin;
  readonly place: LocateLazily;
}

/** The inventory source that is being read. */
export interface InventoryOrigin {
  /** Its name in messages. */
  readonly shown: string;
  /** Absolute: `inventory_file`. For names on the command line, the text of the option. */
  readonly file: string;
  /** Absolute: `inventory_dir`; absent for names on the command line. */
  readonly directory: string | undefined;
  /** Whether the source was encrypted: its variables are secrets then. */
  readonly encrypted?: boolean;
}

/** The variables that one source sets for one group or controller. */
export interface GivenVariables {
  readonly values: Mapping;
  readonly locate?: Locate | undefined;
}
