import path from 'node:path';
import type { Static } from 'typebox';
import { defineAction, type ActionContext, type ActionResult } from '../../src/module/contract.js';
import { DEFAULT_MAX_SIZE, downloadFile } from '../file_transfer/download.js';
import { uploadFile } from '../file_transfer/upload.js';
import { KIND_ARGUMENTS } from './arguments.js';
import { vendorConnection } from './vendor_connection.js';

type FileArgs = Static<typeof KIND_ARGUMENTS.fileservice>;
type ImageArgs = Static<typeof KIND_ARGUMENTS.image>;

/** `avi_api_fileservice`: uploads to and downloads from the file service. */
export const apiFileservice = defineAction({
  name: 'avi_api_fileservice',
  summary: "uploads or downloads a file of the file service, as the vendor's collection does",
  description:
    'For playbooks of the collection `vmware.alb`: means `file_upload` or `file_download` below `/api/fileservice`. A file that the controller has already, with the same digest or size, is not uploaded again.',
  args: KIND_ARGUMENTS.fileservice,
  connection: vendorConnection,
  examples: [
    `
- name: The package is on the controller
  avi_api_fileservice:
    upload: true
    path: hsmpackages?hsmtype=safenet
    file_path: ./safenet.tar
`,
  ],
  check: ({ upload }: FileArgs) => upload,
  run: ({ upload, file_path: file, path: below, params }: FileArgs, context): Promise<ActionResult> => {
    const [name = '', given = ''] = below.split('?');
    const folder = /^[\w.~%:/-]+$/.test(name) && !name.split('/').includes('..') ? name.replace(/^\/+/, '') : undefined;
    if (folder === undefined)
      return Promise.resolve({ status: 'failed', message: `"${below}" is not a path below /api/fileservice` });
    const target = { path: `/api/fileservice/${folder}`, query: { ...Object.fromEntries(new URLSearchParams(given)) } };
    const query = { ...target.query, ...params };
    if (!upload) return downloadFile({ ...target, query, dest: file, max_size: DEFAULT_MAX_SIZE }, context);
    const isUpgrade = path.extname(file).toLowerCase() === '.pkg';
    const place = isUpgrade ? { path: '/api/fileservice/uploads' } : target;
    const uri = `controller://${isUpgrade ? 'upgrade_pkgs' : folder}`;
    return uploadFile({ ...place, src: file, field: 'file', fields: { uri }, compare: true }, context);
  },
});

/** `avi_api_image`: uploads a software image. */
export const apiImage = defineAction({
  name: 'avi_api_image',
  summary: "uploads a software image, as the vendor's collection does",
  description:
    'For playbooks of the collection `vmware.alb`: means `file_upload` with `path: /api/image`. An image that the controller has already is not uploaded again.',
  args: KIND_ARGUMENTS.image,
  connection: vendorConnection,
  examples: ['\n- name: The patch is on the controller\n  avi_api_image:\n    file_path: ./se_patch.pkg\n'],
  check: true,
  writes: true,
  run: ({ file_path: src }: ImageArgs, context: ActionContext): Promise<ActionResult> =>
    uploadFile({ path: '/api/image', src, field: 'file', compare: true }, context),
});
