import type { CallableArguments } from '../../runtime/arguments.js';

/** Encodings of Python, by their names without `-` and `_`, that can be written as well as read. */
const CHARSETS: Readonly<Record<string, Charset>> = {
  utf8: { encode: (text) => Buffer.from(text), decode: (bytes) => bytes.toString() },
  utf16le: { encode: (text) => Buffer.from(text, 'utf16le'), decode: (bytes) => bytes.toString('utf16le') },
  utf16be: {
    encode: (text) => Buffer.from(text, 'utf16le').swap16(),
    decode: (bytes) => swapped(bytes).toString('utf16le'),
  },
  /** With a byte order mark. */
  utf16: {
    encode: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    decode: (bytes) =>
      (bytes[0] === 0xfe && bytes[1] === 0xff ? swapped(bytes) : bytes).toString('utf16le').replace(/^\uFEFF/, ''),
  },
  latin1: { encode: (text) => Buffer.from(text, 'latin1'), decode: (bytes) => bytes.toString('latin1'), last: 0xff },
  ascii: { encode: (text) => Buffer.from(text, 'latin1'), decode: (bytes) => bytes.toString('latin1'), last: 0x7f },
};

interface Charset {
  readonly encode: (text: string) => Buffer;
  readonly decode: (bytes: Buffer) => string;
  /** Its last character, if it does not have all. */
  readonly last?: number;
}

const ALIASES: Readonly<Record<string, string>> = { iso88591: 'latin1', l1: 'latin1', usascii: 'ascii' };

/** The text as bytes of the encoding in the argument at `index`. */
export function encoded(args: CallableArguments, text: string, index: number): Buffer {
  const name = args.text(index, 'utf-8');
  const charset = findCharset(name);
  if (charset === undefined)
    throw args.error(`cannot write the encoding "${name}"`, `it is ${Object.keys(CHARSETS).join(', ')}`);
  requireWithin(charset, text, name, args);
  return charset.encode(text);
}

/** Bytes of the encoding in the argument at `index` as text. */
export function decoded(args: CallableArguments, bytes: Buffer, index: number): string {
  const name = args.text(index, 'utf-8');
  const charset = findCharset(name);
  if (charset === undefined) return decodedAs(name, bytes, args);
  const text = charset.decode(bytes);
  requireWithin(charset, text, name, args);
  return text;
}

/** As text of any encoding that the platform knows. */
export function decodedAs(encoding: string, bytes: Buffer, args: CallableArguments): string {
  try {
    return new TextDecoder(webName(encoding)).decode(bytes);
  } catch {
    throw args.error(`there is no encoding "${encoding}"`, 'it is utf-8, latin1, utf-16le, …');
  }
}

/** Python's `latin-1` and `cp1252` are `latin1` and `windows-1252`. */
function webName(encoding: string): string {
  const name = encoding.toLowerCase().replaceAll('_', '-');
  return name.replace(/^latin-/, 'latin').replace(/^cp-?125/, 'windows-125');
}

function findCharset(name: string): Charset | undefined {
  const plain = name.toLowerCase().replaceAll(/[-_ ]/g, '');
  const key = ALIASES[plain] ?? plain;
  return Object.hasOwn(CHARSETS, key) ? CHARSETS[key] : undefined;
}

function requireWithin({ last }: Charset, text: string, name: string, args: CallableArguments): void {
  const strange = last === undefined ? undefined : Array.from(text).find((one) => (one.codePointAt(0) ?? 0) > last);
  if (strange !== undefined) throw args.error(`the encoding "${name}" has no character "${strange}"`);
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}
