import { InvalidArgumentError } from 'commander';
import { parseSize } from '../../module/argument_spec/sizes.js';

/** For an option that may be given several times. */
export function collected(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

/** As `collected`, each time with several values between commas. */
export function separated(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [
    ...(previous ?? []),
    ...value
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ];
}

/** Several between commas, and several times. */
export function apiVersions(value: string, previous: readonly string[] | undefined): readonly string[] {
  const wrong = separated(value, undefined).find((version) => !/^\d+\.\d+\.\d+$/.test(version));
  if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is not three numbers such as 22.1.3.`);
  return separated(value, previous);
}

/** In bytes. */
export function size(value: string): number {
  const bytes = parseSize(value, 'bytes');
  if (bytes === undefined || bytes < 1) throw new InvalidArgumentError('It must be a size such as 16MB.');
  return bytes;
}

export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It takes a whole number from 1.');
  return number;
}
