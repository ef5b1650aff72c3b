import { Command } from 'commander';
import type { CommandContext } from '../../src/cli/context.js';
import type { DefineCommand } from '../../src/cli/options/define.js';

/** What a command takes of its line: its options, and then its arguments. */
export function parsed(define: DefineCommand, line: string): readonly unknown[] {
  const whole = define(new Command('named'), {} as CommandContext, (command) => command);
  const words = line.split(' ').filter((word) => word !== '');
  const inner = whole.commands.find((one) => [one.name(), ...one.aliases()].includes(words[0] ?? ''));
  const command: Command = inner ?? whole;
  command.action(() => undefined).exitOverride();
  command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  command.parse(inner === undefined ? words : words.slice(1), { from: 'user' });
  const taken: readonly unknown[] = command.processedArgs;
  return [command.opts(), ...taken];
}
