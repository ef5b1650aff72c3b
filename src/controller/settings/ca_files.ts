import path from 'node:path';
import { homeFolder } from '../../files/carried_files.js';
import { readBytesSync } from '../../files/read_bytes.js';
import { whyUnreadable } from '../../files/file_error.js';

/** Reads PEM files, each once: a fleet shares one text, and so one secure context. Relative names count from `directory`. */
export function caReader(directory: string): (file: string) => string {
  const texts = new Map<string, string>();
  return (file) => {
    const name = path.resolve(directory, file.replace(/^~(?=\/)/, homeFolder()));
    const text = texts.get(name) ?? textOf(name);
    texts.set(name, text);
    return text;
  };
}

function textOf(file: string): string {
  try {
    return readBytesSync(file).toString();
  } catch (error) {
    throw new Error(`${file}: ${whyUnreadable(error)}`, { cause: error });
  }
}
