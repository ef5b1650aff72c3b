import path from 'node:path';
import type { Static } from 'typebox';
import type { Kind, KindTable } from '../../src/kinds/kind_table.js';
import {
  defineAction,
  isMapping,
  type ActionContext,
  type ActionResult,
  type Mapping,
  type Module,
} from '../../src/module/contract.js';
import { DEFAULT_MAX_SIZE, downloadFile } from '../file_transfer/download.js';
import { uploadFile } from '../file_transfer/upload.js';
import { ensurePassword } from '../user_password.js';
import { KIND_ARGUMENTS } from './arguments.js';
import { patchMember, updateVnics } from './vendor_lists.js';
import { vendorModule } from './vendor_module.js';
import { changedResult, isShown, rejectedResult, send, vendorConnection } from './vendor_requests.js';
import { apiSession, apiVersion } from './vendor_session.js';

/**
 * The module of the vendor's collection of that name; undefined if there is none.
 *
 * @param others kinds that no table describes
 */
export function vendorModuleNamed(name: string, table: KindTable, others: readonly string[]): Module | undefined {
  const special = [apiFileservice, apiImage, apiSession, apiVersion, userAccount].find((one) => one.name === name);
  if (special !== undefined) return special;
  const [word, make] = OF_KIND[name] ?? [name.slice('avi_'.length), undefined];
  const kind = table.kind(word) ?? (others.includes(word) ? untyped(word) : undefined);
  if (kind === undefined || kind.upload) return undefined;
  return make === undefined ? vendorModule(kind, name) : make(kind);
}

/** Modules that handle a part of the objects of a kind. */
const OF_KIND: Readonly<Record<string, readonly [kind: string, make?: (kind: Kind) => Module]>> = {
  avi_gslbservice_patch_member: ['gslbservice', patchMember],
  avi_serviceenginegroup_advanced: ['serviceenginegroup'],
  avi_update_se_data_vnics: ['serviceengine', updateVnics],
};

function untyped(name: string): Kind {
  const single = name.startsWith('license');
  const structure = { name, fields: new Map(), required: [], key: [] };
  return {
    name,
    about: undefined,
    path: `/api/${name}${single ? '' : '/'}`,
    single,
    upload: false,
    scope: 'tenant',
    structure,
  };
}

type FileArgs = Static<typeof KIND_ARGUMENTS.fileservice>;
/** `avi_api_fileservice`: uploads to and downloads from the file service. */
export const apiFileservice = defineAction({
  name: 'avi_api_fileservice',
  summary: "uploads or downloads a file of the file service, as the vendor's collection does",
  description:
    'For playbooks of the collection `vmware.alb`: means `file_upload` or `file_download` below `/api/fileservice`. A file that the controller already has, with the same digest or size, is not uploaded again.',
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
  // An upload runs in check mode, but is no task that only reads.
  writes: ({ upload }: FileArgs) => upload,
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
const apiImage = defineAction({
  name: 'avi_api_image',
  summary: "uploads a software image, as the vendor's collection does",
  description:
    'For playbooks of the collection `vmware.alb`: means `file_upload` with `path: /api/image`. An image that the controller already has is not uploaded again.',
  args: KIND_ARGUMENTS.image,
  connection: vendorConnection,
  examples: ['\n- name: The patch is on the controller\n  avi_api_image:\n    file_path: ./se_patch.pkg\n'],
  check: true,
  writes: true,
  run: ({ file_path: src }: Static<typeof KIND_ARGUMENTS.image>, context: ActionContext): Promise<ActionResult> =>
    uploadFile({ path: '/api/image', src, field: 'file', compare: true }, context),
});

const USER_ACCOUNT = '/api/useraccount';
/** Statuses of a controller that does not show the account. */
const UNREADABLE: ReadonlySet<number> = new Set([404, 405, 501]);

/** `avi_useraccount`: changes the password of the user who signs in. */
export const userAccount = defineAction({
  name: 'avi_useraccount',
  summary: "changes the password of the user who signs in, as the vendor's collection does",
  description:
    'For playbooks of the collection `vmware.alb`: means `user_password`, with the new password in `password` or `avi_credentials`. It signs in with that first, also with `force_change`, and sends `full_name` and `email` with a new password or if they differ.',
  args: KIND_ARGUMENTS.account,
  connection: vendorConnection,
  examples: [
    `
- name: The controller no longer has its first password
  avi_useraccount:
    avi_credentials: { controller: lb1.example.com, username: admin, password: '{{vault_password}}' }
    old_password: '{{first_password}}'
`,
  ],
  check: true,
  writes: true,
  run: async (given: Static<typeof KIND_ARGUMENTS.account>, context: ActionContext): Promise<ActionResult> => {
    const { full_name, email, old_password } = given;
    const { password, isToken = false } = await context.account();
    if (isToken || password === '')
      return {
        status: 'failed',
        message: 'there is no new password: give "password", or "password" in avi_credentials',
      };
    const profile = { ...(full_name !== undefined && { full_name }), ...(email !== undefined && { email }) };
    return ensureAccount({ password, old_password, profile }, context);
  },
});

/** A new password is sent with the other fields. Otherwise, they are sent if one differs. */
async function ensureAccount(
  wanted: Parameters<typeof ensurePassword>[0] & { readonly profile: Mapping },
  context: ActionContext,
): Promise<ActionResult> {
  const { password, profile } = wanted;
  const ensured = await ensurePassword(wanted, context);
  if (ensured.status !== 'ok' || Object.keys(profile).length === 0) return ensured;
  const seen = await context.request({ method: 'GET', path: USER_ACCOUNT });
  const { status, body } = seen;
  if (!isShown(seen) && !UNREADABLE.has(status)) return rejectedResult(`GET ${USER_ACCOUNT}`, seen);
  if (!isShown(seen) || !isMapping(body)) return ensured;
  if (Object.entries(profile).every(([name, value]) => body[name] === value)) return ensured;
  if (context.checkMode) return changedResult('PUT', USER_ACCOUNT, seen);
  const { username } = body;
  const account = { username: username ?? null, ...profile, password, old_password: password };
  return send('PUT', { path: USER_ACCOUNT, query: {} }, account, context);
}
