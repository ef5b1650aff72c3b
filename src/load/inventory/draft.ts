import type { Locate, Source } from '../../model/source/source.js';
import type { Mapping } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';

/** Where something was written, worked out only if a message needs it; undefined for what no file holds. */
export type Place = () => Source | undefined;

export interface GroupDraft {
  readonly name: string;
  readonly children: Set<string>;
  readonly parents: Set<string>;
  readonly controllers: Set<string>;
  /** What inventory sources say, weakest first; `group_vars` are added at the end. */
  readonly layers: VariableLayer[];
  priority: number;
  readonly place: Place;
}

export interface ControllerDraft {
  readonly name: string;
  /** Direct membership. */
  readonly groups: Set<string>;
  readonly layers: VariableLayer[];
  readonly origin: Origin;
  readonly place: Place;
}

/** The inventory source that is being read. */
export interface Origin {
  /** As messages call it. */
  readonly shown: string;
  /** Absolute: `inventory_file`. For names on the command line, these names. */
  readonly file: string;
  /** Absolute: `inventory_dir`; absent for names on the command line. */
  readonly directory: string | undefined;
  /** Whether it was encrypted: its variables are secrets then. */
  readonly encrypted?: boolean;
}

/** The variables that one source sets for one group or controller. */
export interface Given {
  readonly values: Mapping;
  readonly locate?: Locate | undefined;
}
