import { getSystemErrorMap } from 'node:util';
import { errorMessage } from '../model/source/diagnostic.js';

const ZERO_BYTE = 'the name contains a zero byte';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'the name is too long',
  ENXIO: 'it is a socket',
  EIO: 'reading it failed',
  ERR_INVALID_ARG_VALUE: ZERO_BYTE,
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
};

/** Whether an operation on a file, or on its content, failed for that reason: `ENOENT`. */
export function isFileError(error: unknown, code: string): boolean {
  return errorCode(error) === code;
}

/** Why a file cannot be read, for the user who named it. */
export function whyUnreadable(error: unknown): string {
  return REASONS[errorCode(error) ?? ''] ?? errorMessage(error);
}

/** Why a file that the user named cannot be written. */
export function whyUnwritable(error: unknown): string {
  if (isFileError(error, 'ENOENT')) return 'its folder does not exist';
  if (isFileError(error, 'ENOTDIR')) return 'a part of its path is a file, not a folder';
  return REASONS[errorCode(error) ?? ''] ?? whyFailed(error);
}

/** Why an operation on a file of Evenkeel failed, in the system's words: `no space left on device`. */
export function whyFailed(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isFileError(error, 'ERR_INVALID_ARG_VALUE')) return ZERO_BYTE;
  const known = 'errno' in error && typeof error.errno === 'number' ? getSystemErrorMap().get(error.errno) : undefined;
  return known?.[1] ?? error.message;
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
