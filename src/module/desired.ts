import * as Type from 'typebox';
import type { Mapping, Value } from '../model/values/value.js';

/** Which object of a controller a task is about. */
interface Identity {
  /** For messages: `cloud "edge-1"`. */
  readonly object: string;
  /** `/api/cloud/` for a member of a collection, the object's own path for a singleton. */
  readonly path: string;
}

/** An object of a collection. */
export interface MemberIdentity extends Identity {
  readonly name: string;
}

/** What a task wants one object on a controller to be. */
export interface Desired extends Identity {
  /** The declared fields; of a member of a collection, with its `name`. */
  readonly fields: Mapping;
  /** Whether undeclared fields are dropped. */
  readonly replace: boolean;
  readonly secrets: SecretPolicy;
}

export type DesiredMember = Desired & MemberIdentity;

/** `on_create`: a secret that reads back hidden counts as correct. `always`: it is sent every time. */
type SecretPolicy = 'on_create' | 'always';

/** The arguments that every resource has, beside the fields of the object. */
export const CONTROLS = {
  replace: Type.Boolean({
    default: false,
    description:
      'Write exactly the declared fields. Undeclared fields of the controller are dropped; a controller that adds them again makes this task `changed` every time.',
  }),
  secrets: Type.Enum(['on_create', 'always'], {
    default: 'on_create',
    description:
      'A secret reads back as `<sensitive>`, so it cannot be compared. `on_create` writes it with a new object or another change; `always` writes it every time, and the task is then always `changed`.',
  }),
};

const OWN: readonly string[] = Object.keys(CONTROLS);

/**
 * What the arguments declare: every one that does not control the task is a field of the object.
 * @param controls names of arguments that control the task, beyond `CONTROLS`.
 */
export function declaration(
  args: Pick<Desired, 'replace' | 'secrets'>,
  controls: readonly string[] = [],
): Pick<Desired, 'fields' | 'replace' | 'secrets'> {
  const { replace, secrets } = args;
  const isField = ([name]: readonly [string, Value]): boolean => !OWN.includes(name) && !controls.includes(name);
  return { fields: Object.fromEntries(Object.entries<Value>(args).filter(isField)), replace, secrets };
}
