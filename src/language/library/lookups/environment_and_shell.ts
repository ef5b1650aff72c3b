import { WaitInterrupted } from '../../../core/programs/side_thread.js';
import { Interrupted, NotKnownYet } from '../../runtime/errors.js';
import { asText } from '../../runtime/text.js';
import { playbookFolder } from './file_search.js';
import { forEach, reasonOf, termsOf, type LookupCall, type Lookups } from './lookup.js';

/** The environment and the shell. */
export const processLookups = {
  env: forEach(
    ['default'],
    (term, { options, args }) => environment(asText(term), args) ?? options.get('default') ?? '',
  ),
  /** The output of a command, run by `/bin/sh` in the playbook's folder. */
  pipe: forEach([], (term, call) => output(asText(term), call).trimEnd()),
  /** The same, line by line. */
  lines: {
    options: [],
    run: (call) =>
      termsOf(call).flatMap((term) => {
        const text = output(asText(term), call);
        return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
      }),
  },
} satisfies Lookups;

function environment(name: string, { invoke }: LookupCall['args']): string | undefined {
  const value = process.env[name];
  if (value === undefined) invoke.preview?.unset(name);
  return value;
}

function output(command: string, { args }: LookupCall): string {
  const { commands, preview } = args.invoke;
  const { allowed } = commands;
  if (!allowed && preview?.readsLocal !== true) throw args.error(`--no-exec does not run the command "${command}"`);
  if (preview !== undefined && !(preview.readsLocal && allowed)) throw new NotKnownYet(`the output of "${command}"`);
  try {
    return commands.run(command, playbookFolder(args));
  } catch (error) {
    if (error instanceof WaitInterrupted) throw new Interrupted(`interrupted during the command "${command}"`);
    throw args.error(`the command "${command}" failed: ${reasonOf(error)}`);
  }
}
