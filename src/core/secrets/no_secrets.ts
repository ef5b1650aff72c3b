import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const SSH = /^(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-[\w-]+|sk-[\w@.-]+) AAAA[A-Za-z0-9+/]+={0,3}(?: [^\n]*)?\n?$/;
const PEM =
  /^\s*(?:-----BEGIN (?:[A-Z]+ )?(?:PUBLIC KEY|CERTIFICATE)-----[^-]*-----END (?:[A-Z]+ )?(?:PUBLIC KEY|CERTIFICATE)-----\s*)+$/;
const LONGEST_PATH = 1024;

export function isPublicKey(text: string): boolean {
  return SSH.test(text) || PEM.test(text);
}

/**
 * Whether a value is no secret although its name marks one: a public key, or the path of a file or folder that contains
 * the secret. Such a path would mask all paths below it.
 */
export function isNoSecret(text: string): boolean {
  return isPublicKey(text) || isPath(text);
}

function isPath(text: string): boolean {
  if (!text.includes('/') || text.length > LONGEST_PATH || /[\0\r\n]/.test(text)) return false;
  const [, inHome] = /^~\/(.*)$/.exec(text) ?? [];
  return existsSync(inHome === undefined ? text : path.join(homedir(), inHome));
}
