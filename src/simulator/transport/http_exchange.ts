import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { deliveredStatus, type DeliveredReply, type Delivery } from '../behaviour/delivery.js';
import type { SimulatedController } from '../controller/controller.js';
import type { SimulatedRequest, SimulatedUpload } from '../protocol/exchange.js';

/** One request over HTTP, from its first byte to the last of its answer. Throws when the client or the simulator goes away. */
export async function exchange(
  controller: SimulatedController,
  incoming: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const request = await receive(incoming, controller.prefix);
  await controller.watch?.('received', request);
  const { latency, decide } = controller.take(request);
  if (latency > 0) await pause(latency, undefined, { signal });
  const delivery = decide();
  controller.log.add(request, deliveredStatus(delivery));
  await controller.watch?.('carried out', request);
  await deliver(delivery, response, signal);
  await controller.watch?.('answered', request);
}

const MEGABYTE = 2 ** 20;

/** The request with its body, which is empty for methods without one. */
async function receive(incoming: IncomingMessage, prefix: string): Promise<SimulatedRequest> {
  const url = incoming.url ?? '';
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return {
    method: incoming.method ?? '',
    // A path outside the base URL is not a path of the controller.
    path: path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : '',
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    headers: incoming.headers,
    ...(await readContent(incoming)),
    base: `https://${incoming.headers.host ?? 'localhost'}${prefix}`,
  };
}

function carriesBody(incoming: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

const MULTIPART = /^multipart\/form-data;.*boundary=(?:"([^"]+)"|([^;]+))/i;

async function readContent(incoming: IncomingMessage): Promise<Pick<SimulatedRequest, 'body' | 'upload'>> {
  if (!carriesBody(incoming)) return { body: '' };
  const [, quoted, plain] = MULTIPART.exec(incoming.headers['content-type'] ?? '') ?? [];
  const boundary = quoted ?? plain;
  return boundary === undefined
    ? { body: (await buffer(incoming)).toString('utf8') }
    : { body: '', upload: await readUpload(incoming, boundary) };
}

/** Ends when the answer is sent, or as much of it as can be sent. */
async function deliver(delivery: Delivery, response: ServerResponse, signal: AbortSignal): Promise<void> {
  switch (delivery.type) {
    case 'reply':
      writeHead(delivery, response).end(delivery.text);
      return;
    case 'close':
      response.destroy();
      return;
    case 'silence':
      return;
    case 'cut':
      return cut(delivery.reply, response);
    case 'trickle':
      return trickle(delivery, response, signal);
    case 'endless':
      return endless(delivery.part, response, signal);
    case 'length':
      writeHead(delivery.reply, response, delivery.by).end(delivery.reply.text);
      return;
    case 'huge':
      return pipeline(Readable.from(hugeList(delivery.megabytes)), response.writeHead(200, JSON_TYPE));
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };

function writeHead(reply: DeliveredReply, response: ServerResponse, wrongBy = 0): ServerResponse {
  const length = Math.max(0, Buffer.byteLength(reply.text) + wrongBy);
  const headers: Record<string, string | string[] | number> = {};
  for (const [name, value] of Object.entries(reply.headers))
    headers[name] = typeof value === 'string' ? value : [...value];
  // A reply without content must not give its length (RFC 9110, 8.6).
  if (reply.status !== 204) headers['content-length'] = length;
  return response.writeHead(reply.status, headers);
}

function cut(reply: DeliveredReply, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    writeHead(reply, response).write(reply.text.slice(0, Math.ceil(reply.text.length / 2)), () => {
      response.destroy();
      resolve();
    });
  });
}

async function trickle(
  { reply, milliseconds, part }: Extract<Delivery, { type: 'trickle' }>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  if (part === 'headers') return trickleHead(reply, milliseconds, response, signal);
  writeHead(reply, response);
  for (const byte of Buffer.from(reply.text)) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await pause(milliseconds, undefined, { signal });
  }
  response.end();
}

/**
 * Writes to the socket directly, because Node does not send headers in parts. Uses the request's socket: a response may have none
 * yet, while Node has not noticed that the previous one on the same connection is finished.
 */
async function trickleHead(
  { status, headers, text }: DeliveredReply,
  milliseconds: number,
  { req: { socket } }: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const given = { ...headers, connection: 'close', 'content-length': `${Buffer.byteLength(text)}` };
  const lines = Object.entries(given).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}\r\n`),
  );
  for (const byte of Buffer.from(`HTTP/1.1 ${status} Slow\r\n${lines.join('')}\r\n`)) {
    if (socket.destroyed) return;
    socket.write(Buffer.of(byte));
    await pause(milliseconds, undefined, { signal });
  }
  socket.end(text);
}

const ENDLESS = {
  headers: ['HTTP/1.1 200 OK\r\n', `x-more: ${'x'.repeat(1000)}\r\n`],
  body: ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', `10000\r\n${' '.repeat(2 ** 16)}\r\n`],
  informational: ['', 'HTTP/1.1 103 Early Hints\r\nlink: </more>\r\n\r\n'],
} as const;

async function endless(
  part: keyof typeof ENDLESS,
  { req: { socket } }: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const [start, more] = ENDLESS[part];
  socket.write(start);
  while (!socket.destroyed) {
    socket.write(more);
    await pause(5, undefined, { signal });
  }
}

function* hugeList(megabytes: number): Generator<string> {
  yield '{"count": 0, "results": [], "padding": "';
  for (let left = megabytes * MEGABYTE; left > 0; left -= MEGABYTE) yield 'x'.repeat(Math.min(left, MEGABYTE));
  yield '"}';
}

const BLANK_LINE = Buffer.from('\r\n\r\n');
/** Headers of a part and fields of a form are small. */
const MOST_HEAD_BYTES = 2 ** 16;

/** Reads a multipart/form-data body as it arrives: an image of gigabytes is never held in memory. */
export async function readUpload(chunks: AsyncIterable<Buffer>, boundary: string): Promise<SimulatedUpload> {
  const reader = new UploadReader(boundary);
  for await (const chunk of chunks) reader.add(chunk);
  return reader.upload;
}

class UploadReader {
  readonly #delimiter: Buffer;
  // The first delimiter has no line before it.
  #held = Buffer.from('\r\n');
  #phase: 'content' | 'headers' | 'end' = 'content';
  #filename: string | undefined;
  #hash: Hash | undefined;
  #size = 0;
  #file: SimulatedUpload['file'];

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  get upload(): SimulatedUpload {
    return { isComplete: this.#phase === 'end', file: this.#file };
  }

  add(chunk: Buffer): void {
    this.#held = Buffer.concat([this.#held, chunk]);
    while (this.#phase === 'headers' ? this.#takeHeaders() : this.#phase === 'content' && this.#takeContent());
    if (this.#phase === 'end') this.#held = Buffer.alloc(0);
  }

  /** Whether the content of this part ended. */
  #takeContent(): boolean {
    const end = this.#held.indexOf(this.#delimiter);
    // What follows the delimiter says whether it is the last.
    if (end >= 0 && this.#held.length < end + this.#delimiter.length + 2) return false;
    const safe = end >= 0 ? end : Math.max(0, this.#held.length - this.#delimiter.length);
    this.#hash?.update(this.#held.subarray(0, safe));
    this.#size += safe;
    if (end < 0) {
      this.#held = this.#held.subarray(safe);
      return false;
    }
    this.#finishPart();
    this.#held = this.#held.subarray(end + this.#delimiter.length);
    this.#phase = this.#held.subarray(0, 2).toString() === '--' ? 'end' : 'headers';
    return true;
  }

  #finishPart(): void {
    if (this.#hash === undefined || this.#filename === undefined) return;
    this.#file ??= { name: this.#filename, size: this.#size, sha256: this.#hash.digest('hex') };
    this.#hash = undefined;
  }

  /** Whether the headers of this part ended. */
  #takeHeaders(): boolean {
    const end = this.#held.indexOf(BLANK_LINE);
    if (end < 0) {
      if (this.#held.length > MOST_HEAD_BYTES) this.#held = this.#held.subarray(-BLANK_LINE.length);
      return false;
    }
    const headers = this.#held.subarray(0, end).toString('utf8');
    [, this.#filename] = /;\s*filename="([^"]*)"/i.exec(headers) ?? [];
    this.#hash = this.#filename === undefined ? undefined : createHash('sha256');
    this.#size = 0;
    this.#held = this.#held.subarray(end + BLANK_LINE.length);
    this.#phase = 'content';
    return true;
  }
}
