import type { Command } from 'commander';

/** Shows command lines, and what each is for, below the help of a command. */
export function examples(command: Command, lines: readonly (readonly [line: string, why: string])[]): void {
  command.addHelpText('after', `\nExamples:\n${lines.map(([line, why]) => `  $ ${line}\n      ${why}`).join('\n')}\n`);
}
