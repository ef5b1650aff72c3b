import { Diagnostics, type Source } from '../../core/model/source/diagnostic.js';
import type { Value } from '../../core/model/values/value.js';
import { maskSourceLine } from '../../core/secrets/mask_source.js';
import type { Vault } from '../vault/vault.js';
import { parseYaml } from '../yaml/parse_yaml.js';

/** The place of text from an option or an environment variable rather than a file. */
export const TYPED: Source = { file: 'command line', line: 1, column: 1 };

/** Reports problems of command line text without a position, which would mean nothing to the user. */
export function passOn(found: Diagnostics, to: Diagnostics): void {
  to.add(found.list.map((one) => (one.source?.file === TYPED.file ? { ...one, source: undefined } : one)));
}

/** Reports the problems of a file that an option names: those without a place in it name the option. */
export function passOnFrom(option: string, found: Diagnostics, to: Diagnostics): void {
  to.add(found.list.map((one) => (one.source === undefined ? { ...one, message: `${option}: ${one.message}` } : one)));
}

/** Reads YAML or JSON that was given as an option; messages name the option. */
export function parseOption(text: string, option: string, diagnostics: Diagnostics, vault?: Vault): Value | undefined {
  const found = new Diagnostics();
  const parsed = parseYaml(text, option, found, vault);
  const shown = maskSourceLine(text);
  diagnostics.add(
    found.list.map(({ severity, message, hint }) => ({
      severity,
      message: `${option}: ${message}, in: ${shown}`,
      hint,
    })),
  );
  return found.failed() ? undefined : parsed?.value;
}
