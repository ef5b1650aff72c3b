import { withoutInvisible } from '../model/invisible.js';
import { decoded } from './readings.js';

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
  for (const text of [decoded(secret), decoded(decoded(secret))]) texts.add(text);
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
