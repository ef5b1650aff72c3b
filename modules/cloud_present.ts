import * as Type from 'typebox';
import { builtInKinds } from '../src/kinds/kind_table.js';
import { builtInFields } from '../src/module/arguments/kind_schema.js';
import { collectionMember } from '../src/module/collection.js';
import { CONTROLS, declaration } from '../src/module/comparison/desired.js';
import { defineResource } from '../src/module/contract.js';
import { nameText } from '../src/module/schema.js';
import { CLOUD_FIELDS } from './fields/cloud.js';

const args = Type.Object({ name: nameText('Exact name of the cloud.'), ...CONTROLS });

export default defineResource({
  name: 'cloud_present',
  summary: 'makes sure that a cloud exists and has the declared fields',
  description:
    'Looks the cloud up by its exact name. Creates it if it does not exist, updates it if a declared field differs, and keeps every other field. You can declare any field of a cloud.',
  args,
  knownFields: CLOUD_FIELDS,
  knownFieldsFor: (given) => builtInFields('cloud', given),
  examples: [
    `
- name: Edge cloud exists
  cloud_present:
    name: edge-1
    vtype: CLOUD_NONE
    mtu: 1500
`,
    `
- name: Each site has a cloud
  cloud_present:
    name: 'edge-{{item}}'
  loop: [fra, ams]
`,
  ],
  ...collectionMember((given: Type.Static<typeof args>) => ({
    object: `cloud "${given.name}"`,
    path: '/api/cloud/',
    name: given.name,
    structure: () => builtInKinds().kind('cloud')?.structure,
    ...declaration(given),
  })),
});
