import type { Random } from './random.js';

export type Written = null | boolean | number | string | readonly Written[] | { readonly [key: string]: Written };
export type Entry = Readonly<Record<string, Written>>;

/** The features that a generated playbook may use. */
export interface Features {
  readonly tags: boolean;
  /** `run_once`, and everything else by which one controller depends on another. */
  readonly once: boolean;
  readonly serial: boolean;
  readonly includes: boolean;
  readonly roles: boolean;
  /** Whether tasks call roles by `import_role`; else by `include_role`. */
  readonly importedRoles: boolean;
  /** `end_play` and the like. */
  readonly endings: boolean;
  /** Handlers that fail. */
  readonly brokenHandlers: boolean;
}

/** The state while a playbook is generated. */
export interface Scene {
  readonly random: Random;
  readonly features: Features;
  /** Beside the playbook, by relative name. */
  readonly files: Record<string, readonly Written[] | Entry>;
  /** Names and topics that a task of the play may notify. */
  readonly handlers: readonly string[];
  /** Names of roles that are there. */
  readonly roles: readonly string[];
  /** Where the files of this place are: '' or `roles/r1/tasks/`. */
  readonly folder: string;
  /** Whether the step is inside a block, an include or a role. */
  readonly sheltered: boolean;
  /** Whether a `rescue` is around. */
  readonly rescuing: boolean;
  /** Whether the file here is included by a name with a template in it. */
  readonly templated: boolean;
  /** The remaining depth of nested blocks, includes and roles. */
  readonly depth: number;
  /** Counts names, so that each task has its own. */
  readonly next: () => number;
}

export function deeper(scene: Scene): Scene {
  return { ...scene, sheltered: true, depth: scene.depth - 1 };
}
