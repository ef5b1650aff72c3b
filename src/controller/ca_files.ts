import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Reads PEM files, each once: a fleet shares one text, and so one secure context. Relative names count from `directory`. */
export function caReader(directory: string): (file: string) => string {
  const texts = new Map<string, string>();
  return (file) => {
    const name = path.resolve(directory, file.replace(/^~(?=\/)/, homedir()));
    const text = texts.get(name) ?? readFileSync(name, 'utf8');
    texts.set(name, text);
    return text;
  };
}
