import path from 'node:path';
import {
  type JsonObject,
  errorAnswer,
  requestRejected,
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatedUpload,
  success,
  textOrEmpty,
} from '../protocol/exchange.js';
import { ADMIN_TENANT, objectsIn, type StoreTurn } from './object_store.js';
import { writeReply } from './write.js';

/** POST of a software image: multipart/form-data with one file. */
export function uploadImage(turn: StoreTurn): SimulatedAnswer {
  const upload = uploadIn(turn.request);
  const { sha256 } = upload;
  const filename = path.basename(upload.name);
  const { name: stem } = path.parse(filename);
  const version = packageVersion(stem);
  const name = version ?? stem;
  const [base, build] = version?.split('-') ?? [];
  if (turn.store.all('image').some((image) => image['name'] === name))
    return errorAnswer(409, `Image with name ${name} already exists.`);
  const image = turn.store.add('image', {
    name,
    type: 'IMAGE_TYPE_SYSTEM',
    tenant_ref: ADMIN_TENANT,
    progress: 100,
    controller_info: {
      path: filename,
      hash: sha256,
      ...(base !== undefined && { build: { version: base, ...(build !== undefined && { build_no: Number(build) }) } }),
    },
  });
  return success(writeReply('image', image, turn), 201);
}

/** `22.1.4-9196`, from the name of a package. */
export function packageVersion(name: string): string | undefined {
  return /(?<![\d.])\d+\.\d+\.\d+(?!\.?\d)(?:-\d+(?![\dp]))?/.exec(name)?.[0];
}

/** POST stores a file below a path of `/api/fileservice`; GET lists the files. */
export function answerFileService(folder: string, turn: StoreTurn): SimulatedAnswer {
  const { request, store } = turn;
  const key = '/api/fileservice';
  const files = objectsIn(store.state.singleton(key).current['files']);
  const uri = request.query.get('uri') ?? `controller:/${folder.slice(key.length)}`;
  if (request.method === 'GET') {
    const here = files.filter((file) => textOrEmpty(file['uri']).startsWith(`${uri}/`) || file['uri'] === uri);
    return success({ count: here.length, results: here });
  }
  if (request.method !== 'POST')
    return errorAnswer(405, `Method '${request.method}' not allowed.`, { allow: 'GET, POST' });
  const upload = uploadIn(request);
  const { size, sha256 } = upload;
  const name = path.basename(upload.name);
  const file = { uri: `${uri}/${name}`, name, size, sha256, modified: new Date().toISOString() };
  store.state.setSingleton(key, { files: [...files.filter((other) => other['uri'] !== file.uri), file] });
  return success(file, 201);
}

/** GET of the whole configuration, by structure; secrets are as they are read back. */
export function exportConfiguration(
  version: string,
  turn: StoreTurn,
  read: (kind: string) => readonly JsonObject[],
): SimulatedAnswer {
  const kinds = turn.store.populatedKinds.map((kind) => [turn.store.title(kind), read(kind)] as const);
  const configuration = Object.fromEntries(kinds.filter(([, objects]) => objects.length > 0));
  const headers = { 'content-disposition': 'attachment; filename="avi_config.json"' };
  return { ...success({ META: { version: { Version: version } }, ...configuration }), headers };
}

/** Refuses a request without a file, or with one that was cut off. */
function uploadIn({ upload }: SimulatedRequest): NonNullable<SimulatedUpload['file']> {
  if (upload === undefined) throw requestRejected(400, 'The body must be multipart/form-data.');
  if (!upload.isComplete) throw requestRejected(400, 'The upload is incomplete.');
  if (upload.file === undefined) throw requestRejected(400, 'The upload has no file.');
  return upload.file;
}
