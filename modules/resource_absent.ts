import * as Type from 'typebox';
import type { Static } from 'typebox';
import { absentMember } from '../src/module/collection.js';
import { defineResource } from '../src/module/contract.js';
import { MATCH, TENANT } from '../src/module/desired.js';
import { API_PATH, collectionPath } from '../src/module/path.js';

const args = Type.Object(
  {
    path: API_PATH,
    name: Type.String({
      minLength: 1,
      expects: 'a name',
      description: 'Name of the object in the collection at `path`.',
    }),
    ...TENANT,
    ...MATCH,
  },
  { additionalProperties: false },
);

export default defineResource({
  name: 'resource_absent',
  summary: 'makes sure that an object of a collection does not exist',
  description:
    'Looks the object up by its exact name and deletes it. A controller refuses that while something refers to the object; the message names what. A rollback creates the object again, with another uuid. The API document does not promise that objects can be deleted.',
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
  ...absentMember(({ path, name, match }: Static<typeof args>) => {
    const collection = collectionPath(path);
    return { object: `${collection} "${name}"`, path: collection, name, match };
  }),
});
