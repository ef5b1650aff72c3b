import * as Type from 'typebox';
import { builtInKinds, type Kinds } from '../src/kinds/kind_table.js';
import { absentMember } from '../src/module/collection.js';
import { MATCH, TENANT } from '../src/module/comparison/desired.js';
import {
  collectionPath,
  knownKindFields,
  PATH_OR_KIND,
  OBJECT_ARGUMENTS,
  objectsPath,
} from '../src/module/comparison/object_arguments.js';
import { defineResource, type Module } from '../src/module/contract.js';
import { nameText } from '../src/module/schema.js';

const args = Type.Object(
  { ...OBJECT_ARGUMENTS, name: nameText('Name of the object in its collection.'), ...TENANT, ...MATCH },
  { additionalProperties: false, ...PATH_OR_KIND },
);

/** The module for a project's kinds. */
export function withKinds(kinds: Kinds): Module {
  const member = absentMember((given: Type.Static<typeof args>) => {
    const { name, match } = given;
    const collection = collectionPath(objectsPath(given, kinds));
    return { object: `${collection} "${name}"`, path: collection, name, match };
  });
  return defineResource({
    name: 'resource_absent',
    summary: 'makes sure that an object of a collection does not exist',
    description:
      'Looks the object up by its exact name and deletes it. A controller rejects this while other objects refer to the object; the message names them. A rollback creates the object again, with another uuid. The API document does not promise that objects can be deleted.',
    args,
    examples: [
      `
- name: The old pool is gone
  resource_absent:
    path: /api/pool/
    name: web
`,
      `
- name: The network of one cloud is gone
  resource_absent:
    path: /api/network/
    name: VM Network
    match: { cloud_ref: /api/cloud?name=edge }
`,
    ],
    ...member,
    knownFieldsFor: (given) => knownKindFields(given, kinds),
  });
}

export default withKinds(builtInKinds);
