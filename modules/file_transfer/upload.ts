import path from 'node:path';
import type { ActionContext, ActionResult } from '../../src/module/contract.js';
import { formOf, LocalFile, type FormContent } from './local_file.js';
import { presenceOf, type Presence } from './shown_file.js';

/** A local file, and where it goes. */
export interface Upload {
  readonly path: string;
  readonly src: string;
  /** Of the form. */
  readonly field: string;
  readonly fields?: Texts | undefined;
  readonly filename?: string | undefined;
  readonly query?: Texts | undefined;
  /** Whether to look for the file on the controller. */
  readonly compare: boolean;
}

type Texts = Readonly<Record<string, string | number | boolean>>;

/** Uploads the file unless the controller shows that it has it. */
export async function uploadFile(upload: Upload, context: ActionContext): Promise<ActionResult> {
  const file = await LocalFile.find(upload.src, context.searchPath());
  if (typeof file === 'string') return { status: 'failed', message: file };
  try {
    return await ensured(file, upload, context);
  } finally {
    await file.close();
  }
}

async function ensured(file: LocalFile, upload: Upload, context: ActionContext): Promise<ActionResult> {
  const filename = upload.filename ?? path.basename(file.file);
  const query = asTexts(upload.query);
  const presence = async (): Promise<Presence> =>
    upload.compare ? presenceOf(file, { path: upload.path, query, filename }, context) : Promise.resolve('unknown');
  const values = { src: file.file, filename, size: file.size };
  const before = await presence();
  if (before === 'same') return { status: 'ok', message: `the controller has ${filename}`, values };
  const change = { kind: 'invoke', object: `file "${filename}"`, before: null, after: null } as const;
  const what = `${filename} (${file.size} bytes)`;
  if (context.checkMode) return { status: 'changed', message: `would upload ${what}`, values, change };
  const form = { field: upload.field, fields: asTexts(upload.fields), filename };
  const request = { path: upload.path, query, looked: before !== 'unknown' };
  const refusal = await send({ file, form, request, presence }, context);
  if (refusal !== undefined) return { status: 'failed', message: refusal, values };
  const after = await presence();
  if (after === 'other') {
    const message = `the controller accepted ${what}, but shows a file of another size or digest`;
    return { status: 'failed', message, values };
  }
  if (after === 'absent') context.warn(`the controller accepted ${filename}, but does not show it yet`);
  return { status: 'changed', message: `uploaded ${what}`, values, change };
}

interface Sent {
  readonly file: LocalFile;
  readonly form: Omit<FormContent, 'onSent'>;
  readonly request: {
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    readonly looked: boolean;
  };
  readonly presence: () => Promise<Presence>;
}

/** Undefined if the controller accepted it. If no answer comes, looks for the file. */
async function send({ file, form, request, presence }: Sent, context: ActionContext): Promise<string | undefined> {
  const onSent = progress(file, form.filename, context);
  try {
    const sent = { ...request, method: 'POST', form: formOf(file, { ...form, onSent }) };
    const { status, says = '' } = await context.request(sent);
    if (status < 300) return undefined;
    return `POST ${request.path} answered ${status}${says === '' ? '' : `: ${says}`}`;
  } catch (error) {
    if (file.problem !== undefined) throw error;
    if ((await presence().catch(() => 'unknown')) === 'same') return undefined;
    throw error;
  }
}

const MIB = 2 ** 20;
const REPORT_MS = 2000;

/** Reports every few seconds how much was sent. */
function progress({ size }: LocalFile, filename: string, context: ActionContext): (sent: number) => void {
  let last = performance.now();
  return (sent) => {
    const now = performance.now();
    if (now - last < REPORT_MS) return;
    last = now;
    context.progress(`${filename}: sent ${Math.floor(sent / MIB)} of ${Math.ceil(size / MIB)} MiB`);
  };
}

function asTexts(written: Texts = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, String(value)]));
}
