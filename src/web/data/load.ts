import { readPage, type Page } from '../../report/page/format/page.js';

/** The data in a report: compressed, as text. @throws Error if there is none, or it is damaged */
export async function pageInFile(): Promise<Page> {
  const text = document.querySelector('#data')?.textContent ?? '';
  return readPage(await decompressed(bytesOf(text)));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

async function decompressed(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
