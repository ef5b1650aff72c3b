import { isUtf8 } from 'node:buffer';
import { isPrintableAscii, removalsIn, withoutInvisible } from '../model/invisible.js';

/**
 * One way to read a text, with escapes replaced by their meaning. `starts` and `ends`: where each character of the reading begins and ends
 * in the written text; absent if nothing was replaced.
 */
export interface TextReading {
  readonly text: string;
  readonly offsets?: WrittenOffsets | undefined;
}

interface WrittenOffsets {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

const PERCENT = '(?:%[0-9a-fA-F]{2})+';
const BACKSLASH = String.raw`\\(?:U[0-9a-fA-F]{8}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r?\n[ \t]*|["'\\/ nrtbf])`;
const ENTITY = '&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});';
const ENTITIES_ALONE = new RegExp(ENTITY, 'g');
const ESCAPE = new RegExp(`${PERCENT}|${BACKSLASH}|${ENTITY}`, 'g');
/** `'` inside single quotes: in YAML, in a shell, in a shell inside a shell. */
const QUOTE = /'\\''|'"'"'|''/g;
const SPACE = /\s+/g;
const NONE: readonly TextReading[] = [];
/** JSON inside JSON inside a URL. */
const MOST_NESTED_ESCAPES = 3;

const LETTERS: ReadonlyMap<string, string> = new Map(Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }));
const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/**
 * The text as it is, and with its escapes replaced, repeatedly; if there is HTML, also with only that replaced, which keeps backslashes.
 * With `quotes`, also the escapes of single quotes. Each reading also without invisible characters.
 */
export function findReadings(text: string, quotes: boolean): readonly TextReading[] {
  const written: TextReading = { text };
  const bare = visible(written);
  const all = readingsFrom(written, quotes);
  return bare.length === 0 ? all : [...all, ...bare.flatMap((one) => readingsFrom(one, quotes))];
}

function readingsFrom(first: TextReading, quotes: boolean): readonly TextReading[] {
  const unquoted = quotes && first.text.includes("'") ? reread(first, QUOTE, () => ["'"]) : first;
  const plain = first.text.includes('&') ? reread(first, ENTITIES_ALONE, escapeMeanings) : first;
  const all = levels(first);
  if (plain !== first) all.push(plain, ...visible(plain));
  if (unquoted !== first) all.push(...levels(unquoted));
  return all;
}

/** The reading without white space, for reformatted text. */
export function withoutSpace(reading: TextReading): TextReading {
  return reading.text.search(SPACE) < 0 ? reading : reread(reading, SPACE, () => []);
}

/** A text with its escapes undone once. */
export function withoutEscapes(text: string): string {
  return holdsEscapes(text) ? reread({ text }, ESCAPE, escapeMeanings).text : text;
}

function levels(first: TextReading): TextReading[] {
  const found = [first];
  let last = first;
  for (let depth = 0; depth < MOST_NESTED_ESCAPES && holdsEscapes(last.text); depth++) {
    const next = reread(last, ESCAPE, escapeMeanings);
    if (next === last) break;
    found.push(next, ...visible(next));
    last = next;
  }
  return found;
}

/** The reading without invisible characters, for each way in which a reader may drop them. */
function visible(reading: TextReading): readonly TextReading[] {
  if (isPrintableAscii(reading.text)) return NONE;
  return removalsIn(reading.text).map((passes) =>
    passes.reduce((one, pattern) => reread(one, pattern, () => []), reading),
  );
}

function holdsEscapes(text: string): boolean {
  return text.includes('\\') || text.includes('%') || text.includes('&');
}

/**
 * Returns the same reading if the pattern does not occur. `meaning`: the characters that replace a match, each for an equal share
 * of it.
 */
function reread(reading: TextReading, pattern: RegExp, meaning: (match: string) => readonly string[]): TextReading {
  const { text, offsets } = reading;
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let result = '';
  let done = 0;
  const keep = (to: number): void => {
    for (let at = done, into = result.length; at < to; at++, into++) {
      starts[into] = at;
      ends[into] = at + 1;
    }
    result += text.slice(done, to);
  };
  for (const match of text.matchAll(pattern)) {
    const [escape] = match;
    keep(match.index);
    const parts = meaning(escape);
    for (const [index, part] of parts.entries()) {
      const share = escape.length / parts.length;
      starts.fill(match.index + Math.floor(index * share), result.length, result.length + part.length);
      ends.fill(match.index + Math.ceil((index + 1) * share), result.length, result.length + part.length);
      result += part;
    }
    done = match.index + escape.length;
  }
  if (done === 0) return reading;
  keep(text.length);
  return {
    text: result,
    offsets: offsets === undefined ? { starts, ends } : through(offsets, { starts, ends }, result),
  };
}

/** Offsets in a reading of a reading, in the text as it was written. */
function through(outer: WrittenOffsets, inner: WrittenOffsets, { length }: string): WrittenOffsets {
  const starts = inner.starts.subarray(0, length).map((at) => outer.starts[at] ?? 0);
  const ends = inner.ends.subarray(0, length).map((at) => outer.ends[at - 1] ?? 0);
  return { starts, ends };
}

function escapeMeanings(escape: string): readonly string[] {
  if (escape.startsWith('%')) return ofBytes(escape);
  return [escape.startsWith('&') ? ofEntity(escape.slice(1, -1)) : ofBackslash(escape.slice(1))];
}

/** Percent-encoded UTF-8, else Latin-1. If the characters differ in width, the whole run is one share. */
function ofBytes(escape: string): readonly string[] {
  const bytes = Buffer.from(escape.replaceAll('%', ''), 'hex');
  if (bytes.every((byte) => byte < 0x80)) return Array.from(bytes, (byte) => String.fromCharCode(byte));
  return [bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')];
}

function ofEntity(entity: string): string {
  if (!entity.startsWith('#')) return ENTITIES.get(entity) ?? '';
  return ofCode(/^#x/i.test(entity) ? parseInt(entity.slice(2), 16) : Number(entity.slice(1)));
}

function ofBackslash(escaped: string): string {
  if (/^(?:U.{8}|u.{4}|x.{2})$/.test(escaped)) return ofCode(parseInt(escaped.slice(1), 16));
  // At the end of a line: the text continues in the next one.
  return escaped.includes('\n') ? '' : (LETTERS.get(escaped) ?? escaped);
}

function ofCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** Minimum length of a secret's part inside longer Base64 text. Shorter parts could match by chance. */
const SHORTEST_CORE = 5;

/**
 * The forms in which a secret can appear, besides the escapes that readings of the output undo (JSON, YAML, HTML and
 * URLs): as it is, in Base64 and in hexadecimal digits, alone or inside longer text.
 */
export function secretForms(secret: string): readonly string[] {
  const texts = spellings(secret);
  const payloads = [Buffer.from(secret), ...otherBytes(secret)];
  return [...texts, ...payloads.flatMap((bytes) => [...base64Forms(bytes), bytes.toString('hex')])];
}

/**
 * Bytes in Base64: alone, and the constant part inside longer data (a Basic header, JSON). Three bytes make four
 * characters, so there are three alignments. Characters that contain bits of a neighbour are left out.
 */
function base64Forms(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('base64');
  const forms = new Set([whole, whole.replace(/=+$/, '')]);
  for (let shift = 0; shift < 3; shift++) {
    const shifted = shift === 0 ? whole : Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const core = shifted.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    if (core.length >= SHORTEST_CORE) forms.add(core);
  }
  return [...forms];
}

/**
 * A secret that itself looks like an escape is undone with the rest of the output, and so is what is invisible in it.
 */
function spellings(secret: string): readonly string[] {
  const texts = new Set([secret, secret.replaceAll(' ', '+'), withoutInvisible(secret)]);
  for (const text of [withoutEscapes(secret), withoutEscapes(withoutEscapes(secret))]) texts.add(text);
  if (!isAscii(secret)) for (const text of otherLetters(secret)) texts.add(text);
  return [...texts];
}

/** The search knows both cases of ASCII letters by itself. */
function otherLetters(secret: string): readonly string[] {
  const swapped = secret.replaceAll(/./gu, (one) =>
    one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase(),
  );
  const titled = secret.replaceAll(/[^-\s({[<]+/g, capitalised);
  const cases = [secret.toUpperCase(), secret.toLowerCase(), swapped, titled, capitalised(secret)];
  return [...cases, secret.normalize('NFC'), secret.normalize('NFD')];
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}

/** Other byte sequences of a text before it is encoded: inside JSON, or in Latin-1. */
function otherBytes(secret: string): readonly Buffer[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const inner = json === secret ? [] : [Buffer.from(json)];
  return isAscii(secret) || !/^[\0-\u00ff]*$/.test(secret) ? inner : [...inner, Buffer.from(secret, 'latin1')];
}

function isAscii(text: string): boolean {
  return /^[\0-\u007f]*$/.test(text);
}
