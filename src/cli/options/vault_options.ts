import type { Command } from 'commander';
import { collected } from './option_values.js';

/** The options of every command that may meet something encrypted. */
export function withVault(command: Command): Command {
  return command
    .option('--vault-id <id>', 'password of a label: LABEL@FILE or LABEL@prompt (repeatable)', collected)
    .option('--vault-password-file <file>', 'file with the password, or program that prints it (repeatable)', collected)
    .option('-J, --ask-vault-pass', 'ask for the vault password');
}
