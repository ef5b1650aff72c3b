import path from 'node:path';
import type { ActionContext, ActionResult } from '../../src/module/contract.js';
import { asTexts } from '../../src/module/schema.js';
import { LocalFile, MIB, reporting, toForm, type FormContent } from './local_file.js';
import { findInList, isKnownAs, type ListLook } from './shown_file.js';

/** A local file, and the target of its upload. */
export interface FileUpload {
  readonly path: string;
  readonly src: string;
  /** The form field of the file. */
  readonly field: string;
  readonly fields?: Texts;
  readonly filename?: string | undefined;
  readonly query?: Texts;
  /** Whether to look for the file on the controller. */
  readonly compare: boolean;
}

type Texts = Parameters<typeof asTexts>[0];

/** Uploads the file, unless the controller lists an equal one. */
export async function uploadFile(upload: FileUpload, context: ActionContext): Promise<ActionResult> {
  const file = await LocalFile.find(upload.src, context);
  if (typeof file === 'string') return { status: 'failed', message: file };
  try {
    return await uploadUnlessThere(file, upload, context);
  } finally {
    await file.close();
  }
}

async function uploadUnlessThere(file: LocalFile, upload: FileUpload, context: ActionContext): Promise<ActionResult> {
  const filename = upload.filename ?? path.basename(file.file);
  const query = asTexts(upload.query);
  const sought = { path: upload.path, query, filename };
  const look = async (): Promise<ListLook> =>
    upload.compare ? findInList(file, sought, context) : { presence: 'unknown', listing: '', versions: [] };
  const before = await look();
  const values = { src: file.file, filename, size: file.size, version: before.version ?? null };
  if (before.presence === 'same')
    return { status: 'ok', message: `the controller has ${filename}${versionText(before)}`, values };
  const change = { kind: 'invoke', object: `file "${filename}"`, before: null, after: null } as const;
  const what = `${filename} (${file.size} bytes)`;
  if (context.checkMode) return { status: 'changed', message: `would upload ${what}`, values, change };
  const form = { field: upload.field, fields: asTexts(upload.fields), filename };
  const request = { path: upload.path, query, looked: before.presence !== 'unknown' };
  const nameOnController = async (says: string): Promise<string | undefined> =>
    upload.compare ? isKnownAs(says, file, sought, context) : undefined;
  const refusal = await send({ file, form, request, look, nameOnController }, context);
  if (typeof refusal === 'object')
    return { status: 'ok', message: `the controller has ${filename}, as ${refusal.name}`, values };
  if (refusal !== undefined) return { status: 'failed', message: refusal, values };
  const after = await lookAfter(before, look, context);
  const problem = whyUploadFailed(before, after, context);
  if (problem !== undefined)
    return { status: 'failed', message: `the controller accepted ${what}, but ${problem}`, values };
  const message = `uploaded ${what}${versionText(after)}`;
  return { status: 'changed', message, values: { ...values, version: after.version ?? null }, change };
}

const PAUSES = [0.5, 1, 2];

function versionText({ version }: ListLook): string {
  return version === undefined ? '' : `, which it shows as version ${version}`;
}

/** The controller may need a moment to list the file. */
async function lookAfter(before: ListLook, look: () => Promise<ListLook>, context: ActionContext): Promise<ListLook> {
  let after = await look();
  for (const pause of PAUSES) {
    if (after.presence === 'unknown' || after.presence === 'same' || after.listing !== before.listing) break;
    await context.sleep(pause);
    after = await look();
  }
  return after;
}

/** Why the upload counts as failed. The controller may list the file under another name. */
function whyUploadFailed(before: ListLook, after: ListLook, context: ActionContext): string | undefined {
  if (after.presence === 'other') return 'shows a file of another size or digest';
  if (after.presence !== 'absent') return undefined;
  if (after.listing === before.listing)
    return `does not show it${after.versions.length === 0 ? '' : `; it shows ${after.versions.join(', ')}`}`;
  context.warn('the controller shows the uploaded file only by another name, without size or digest');
  return undefined;
}

interface Sent {
  readonly file: LocalFile;
  readonly form: Omit<FormContent, 'onSent'>;
  readonly request: {
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    readonly looked: boolean;
  };
  readonly look: () => Promise<ListLook>;
  /** The name under which the controller has the file, if that is what a conflict means. */
  readonly nameOnController: (says: string) => Promise<string | undefined>;
}

/** Undefined if the controller accepted the file, and its name on the controller if it has it. Without an answer, looks for the file. */
async function send(
  { file, form, request, look, nameOnController }: Sent,
  context: ActionContext,
): Promise<string | { readonly name: string } | undefined> {
  const all = Math.ceil(file.size / MIB);
  const onSent = reporting(context, (sent) => `${form.filename}: sent ${Math.floor(sent / MIB)} of ${all} MiB`);
  const isThere = async (): Promise<boolean> => (await look().catch(() => undefined))?.presence === 'same';
  try {
    const sent = { ...request, method: 'POST', form: toForm(file, { ...form, onSent }) };
    const { status, says = '', denied } = await context.request(sent);
    if (status < 300 && denied !== true) return undefined;
    if ((denied === true || UNSURE.includes(status)) && (await isThere())) return undefined;
    const name = status === CONFLICT ? await nameOnController(says) : undefined;
    if (name !== undefined) return { name };
    return `POST ${request.path} answered ${status}${says === '' ? '' : `: ${says}`}`;
  } catch (error) {
    if (file.problem !== undefined) throw error;
    if (await isThere()) return undefined;
    throw error;
  }
}

const CONFLICT = 409;

/** Statuses that gateways use, too, so the controller may have received the file. */
const UNSURE: readonly number[] = [408, 502, 503, 504];
