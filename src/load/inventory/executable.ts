import { parseWithDigits } from '../../model/values/inexact_numbers.js';
import { TOO_DEEP, tooDeepAt } from '../../model/values/nesting.js';
import { entry, type Value } from '../../model/values/value.js';
import { errorMessage } from '../../model/error_message.js';
import { Vault } from '../vault/vault.js';
import { untagged } from '../yaml/json_tags.js';
import type { InventoryBuilder } from './builder.js';
import type { Origin } from './draft.js';
import { execute, type Surroundings } from './process.js';
import { addScriptInventory, addScriptVariables } from './script_inventory.js';

/** Characters of a complaint that a message shows. */
const LONGEST = 2000;

/** Calls of `--host` under way at once. */
const AT_ONCE = 8;

/**
 * Runs an inventory executable with `--list`, and, if what it prints has no `_meta.hostvars`, with `--host NAME` for each
 * controller. What it prints to stderr is shown as a warning, or with the error.
 */
export async function addExecutable(
  origin: Origin,
  builder: InventoryBuilder,
  surroundings: Surroundings,
): Promise<void> {
  const run = (args: readonly string[]): Promise<Value | undefined> => printed(origin, args, surroundings, builder);
  const listed = await run(['--list']);
  if (listed === undefined) return;
  const { controllers, variables } = addScriptInventory(listed, origin, builder);
  const names = [...controllers];
  if (variables !== undefined) {
    for (const name of names) addScriptVariables(name, entry(variables, name) ?? {}, origin, builder);
    return;
  }
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const answers = await Promise.all(some.map((name) => run(['--host', name])));
    for (const [index, name] of some.entries()) addScriptVariables(name, answers[index] ?? {}, origin, builder);
  }
}

async function printed(
  origin: Origin,
  args: readonly string[],
  surroundings: Surroundings,
  { diagnostics, means: { vault = Vault.locked(), onRead } }: InventoryBuilder,
): Promise<Value | undefined> {
  const command = [origin.shown, ...args].join(' ');
  const { stdout, stderr, failure } = await execute(origin.file, args, surroundings);
  const complaint = stderr.trim();
  if (failure !== undefined) {
    diagnostics.error(`inventory: ${command} ${failure}${said(complaint)}`);
    return undefined;
  }
  onRead?.('program', command, stdout);
  if (args[0] === '--host' && stdout.trim() === '') return {};
  if (tooDeepAt(stdout) !== undefined) {
    diagnostics.error(`inventory: ${command} printed JSON that is of no use: ${TOO_DEEP}`);
    return undefined;
  }
  try {
    // JSON has no other values than these. A whole number that would lose digits becomes text: nobody can quote it here.
    const value = parseWithDigits(stdout) as Value;
    const place = { file: command, line: 1, column: 1 };
    if (complaint !== '') diagnostics.warn(`inventory: ${command} says: ${complaint}`);
    return untagged(value, { vault, diagnostics, locate: () => place });
  } catch (error) {
    const why = errorMessage(error);
    diagnostics.error(`inventory: ${command} ended with exit code 0 but did not print JSON: ${why}${said(complaint)}`);
    return undefined;
  }
}

/** The end of it says most, where it is long. */
function said(complaint: string): string {
  const shown = complaint.length > LONGEST ? `…${complaint.slice(-LONGEST)}` : complaint;
  return shown === '' ? '' : `; it says: ${shown}`;
}
