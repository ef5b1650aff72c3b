import { createHash } from 'node:crypto';
import path from 'node:path';
import { refusal, success, type Answer } from '../protocol/answer.js';
import { textOf, type Json, type JsonObject } from '../protocol/json.js';
import type { SimulatedRequest } from '../protocol/request.js';
import { ADMIN_TENANT } from './object_store.js';
import type { Turn } from './turn.js';
import { written } from './write.js';

interface Upload {
  readonly filename: string;
  readonly size: number;
  readonly sha256: string;
}

/** POST of a software image: multipart/form-data with one file. */
export function uploadImage(turn: Turn): Answer {
  const upload = uploadIn(turn.request);
  if (typeof upload === 'string') return refusal(400, upload);
  const { filename, sha256 } = upload;
  const name = path.parse(filename).name;
  if (turn.store.all('image').some((image) => image['name'] === name))
    return refusal(409, `Image with name ${name} already exists.`);
  const image = turn.store.add('image', {
    name,
    type: 'IMAGE_TYPE_SYSTEM',
    tenant_ref: ADMIN_TENANT,
    progress: 100,
    controller_info: { path: filename, hash: sha256 },
  });
  return success(written('image', image, turn), 201);
}

/** POST stores a file below a path of `/api/fileservice`; GET lists what is there. */
export function answerFileService(folder: string, turn: Turn): Answer {
  const { request, store } = turn;
  const key = '/api/fileservice';
  const files = (store.state.singleton(key).current['files'] ?? []) as readonly JsonObject[];
  const uri = request.query.get('uri') ?? `controller:/${folder.slice(key.length)}`;
  if (request.method === 'GET') {
    const here = files.filter((file) => textOf(file['uri']).startsWith(`${uri}/`) || file['uri'] === uri);
    return success({ count: here.length, results: here as Json });
  }
  if (request.method !== 'POST') return refusal(405, `Method '${request.method}' not allowed.`, { allow: 'GET, POST' });
  const upload = uploadIn(request);
  if (typeof upload === 'string') return refusal(400, upload);
  const { filename, size, sha256 } = upload;
  const file = { uri: `${uri}/${filename}`, name: filename, size, sha256, modified: new Date().toISOString() };
  store.state.setSingleton(key, { files: [...files.filter((other) => other['uri'] !== file.uri), file] });
  return success(file, 201);
}

/** GET of the whole configuration, by structure; secrets are as they are read back. */
export function exportConfiguration(
  version: string,
  turn: Turn,
  read: (kind: string) => readonly JsonObject[],
): Answer {
  const kinds = turn.store.populatedKinds.map((kind) => [turn.store.title(kind), read(kind)] as const);
  const configuration = Object.fromEntries(kinds.filter(([, objects]) => objects.length > 0)) as JsonObject;
  const headers = { 'content-disposition': 'attachment; filename="avi_config.json"' };
  return { ...success({ META: { version: { Version: version } }, ...configuration }), headers };
}

/** The file of a multipart body, whose characters are its bytes. A sentence instead if there is none, or if it is cut off. */
function uploadIn({ headers, body }: SimulatedRequest): Upload | string {
  const [, quoted, plain] =
    /^multipart\/form-data;.*boundary=(?:"([^"]+)"|([^;]+))/i.exec(headers['content-type'] ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return 'The body must be multipart/form-data.';
  if (!body.trimEnd().endsWith(`--${boundary}--`)) return 'The upload is incomplete.';
  for (const part of body.split(`--${boundary}`)) {
    const split = part.indexOf('\r\n\r\n');
    const [, filename] = /;\s*filename="([^"]*)"/i.exec(part.slice(0, Math.max(split, 0))) ?? [];
    if (filename === undefined) continue;
    const content = Buffer.from(part.slice(split + 4, -2), 'latin1');
    return {
      filename: path.basename(Buffer.from(filename, 'latin1').toString('utf8')),
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
  }
  return 'The upload has no file.';
}
