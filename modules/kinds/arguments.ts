import * as Type from 'typebox';
import { CONTROLS, MATCH, SINGLE_CONTROLS, TENANT } from '../../src/module/desired.js';

const name = Type.String({ minLength: 1, expects: 'a name', description: 'Exact name of the object.' });

/** What the modules of all kinds take beside the fields of the kind, which are hints. Shared, because checks are compiled once for each. */
export const KIND_ARGUMENTS = {
  member: Type.Object({ name, ...CONTROLS }),
  single: Type.Object({ ...SINGLE_CONTROLS }),
  absent: Type.Object({ name, ...TENANT, ...MATCH }, { additionalProperties: false }),
};
