import * as Type from 'typebox';
import { TENANT } from '../src/module/comparison/desired.js';
import { API_PATH } from '../src/module/comparison/object_arguments.js';
import { defineAction } from '../src/module/contract.js';
import { closedObject, filledText, textRecord } from '../src/module/schema.js';
import { DEFAULT_MAX_SIZE, downloadFile } from './file_transfer/download.js';

const args = closedObject({
  path: API_PATH,
  dest: filledText(
    'The local file; a relative name is relative to the folder of the playbook. Missing folders are created.',
  ),
  query: textRecord('Query parameters, which Evenkeel encodes.'),
  max_size: Type.Integer({
    default: DEFAULT_MAX_SIZE,
    minimum: 1,
    description: 'Maximum size of the answer in MiB. A larger or endless answer fails the task.',
  }),
  ...TENANT,
});

export default defineAction({
  name: 'file_download',
  summary: 'saves the answer of the controller as a local file',
  description:
    'Sends a GET and writes the answer to a temporary file in a folder next to `dest`, which only the user can read (mode 0600). When it is complete, it replaces `dest` in one step. A failed download does not change `dest`; a web page or truncated JSON fails the task. The task is `ok` if `dest` already has the same content. The result has `dest`, `size`, `sha256` and `version`, that of an exported configuration. What a killed run left beside `dest` is removed. With `--simulate`, `.simulated` is appended to `dest`, so that no real file is replaced. If the task runs for several controllers, each needs its own `dest`: use `inventory_hostname` in the name.',
  args,
  examples: [
    `
- name: Back up the configuration
  file_download:
    path: /api/configuration/export
    query: { full_system: true }
    dest: backup/{{ inventory_hostname }}.json
`,
  ],
  check: false,
  writes: false,
  run: downloadFile,
});
