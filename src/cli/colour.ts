/** `--no-color`, then `NO_COLOR` and `FORCE_COLOR` (https://no-color.org), then whether the stream is a terminal. */
export function colourWanted(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  option: boolean | undefined,
): boolean {
  if (option === false || (env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && env['TERM'] !== 'dumb' && env['CI'] === undefined;
}
