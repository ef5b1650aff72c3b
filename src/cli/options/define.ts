import type { Command } from 'commander';
import type { CommandContext } from '../context.js';

/** Takes the exit code of a command that has ended. */
type Finish = (code: number) => void;

/** Declares one command: its arguments, its options and its help. Its code is loaded when it is asked for. */
export type Define = (context: CommandContext, finish: Finish) => Command;
