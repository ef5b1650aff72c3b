import * as Type from 'typebox';
import { TENANT } from '../src/module/comparison/desired.js';
import { API_PATH } from '../src/module/comparison/object_arguments.js';
import { defineAction } from '../src/module/contract.js';
import { closedObject, filledText, textRecord } from '../src/module/schema.js';
import { uploadFile } from './file_transfer/upload.js';

const args = closedObject({
  path: API_PATH,
  src: filledText(
    'The local file. A relative name is looked for in `files/` of the role, in the role, in `files/` next to the playbook, and next to the playbook.',
  ),
  field: Type.String({ minLength: 1, default: 'file', description: 'The form field of the file.' }),
  fields: textRecord('More fields of the form.'),
  filename: Type.Optional(filledText('The file name to send to the controller; default: that of `src`.')),
  query: textRecord('Query parameters, which Evenkeel encodes.'),
  compare: Type.Boolean({
    default: true,
    description: 'Look for the file on the controller, before and after. `false` uploads it every time.',
  }),
  ...TENANT,
});

export default defineAction({
  name: 'file_upload',
  summary: 'uploads a local file to the controller',
  description:
    'Streams the file from disk as multipart/form-data, so it can be large. If the controller lists files at `path` with their digest or size, the task is `ok` if the file is already there, and fails if the list does not show the file after the upload. A software package of `/api/image` is also there if the list shows its version, or if the controller refuses it because of an image in the list. The result has `version`, the one that the list shows. Otherwise the task uploads the file in every run, and is `changed`. It never repeats an upload: if the connection is lost or no answer comes, it looks for the file, and fails if the controller does not list it. `resume` looks first, too. `controller_timeout` limits how long a transfer may pause. In check mode, it compares, but sends no file.',
  args,
  examples: [
    `
- name: The controller has the image
  file_upload:
    path: /api/image
    src: controller-22.1.4.pkg
`,
  ],
  check: true,
  writes: true,
  run: uploadFile,
});
