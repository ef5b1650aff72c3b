import type * as Type from 'typebox';
import { absentMember } from '../src/module/collection.js';
import { TENANT } from '../src/module/comparison/desired.js';
import { defineResource } from '../src/module/contract.js';
import { closedObject, nameText } from '../src/module/schema.js';

const args = closedObject({ name: nameText('Exact name of the cloud.'), ...TENANT });

export default defineResource({
  name: 'cloud_absent',
  summary: 'makes sure that a cloud does not exist',
  description:
    'Looks the cloud up by its exact name and deletes it. A controller rejects this while other objects refer to the cloud; the message names them. A rollback creates the cloud again, with another uuid. The API document does not promise that clouds can be deleted.',
  args,
  examples: [
    `
- name: The old cloud is gone
  cloud_absent:
    name: edge-1
`,
  ],
  ...absentMember(({ name }: Type.Static<typeof args>) => ({ object: `cloud "${name}"`, path: '/api/cloud/', name })),
});
