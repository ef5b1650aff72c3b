import path from 'node:path';
import * as Type from 'typebox';
import { errorMessage } from '../../core/model/source/diagnostic.js';
import { validateArguments } from '../../module/arguments/validation.js';
import type { Module } from '../../module/contract.js';
import { importUserFile } from './user_files.js';

/** Users' modules may be untyped JavaScript, so the required parts of a module and their types are checked here. */
const REQUIRED_PARTS: Readonly<Record<Module['type'], Readonly<Record<string, string>>>> = {
  action: { summary: 'string', args: 'object', examples: 'object', run: 'function' },
  resource: {
    summary: 'string',
    args: 'object',
    examples: 'object',
    object: 'function',
    read: 'function',
    plan: 'function',
    apply: 'function',
  },
};

/** Without them, the secrets that they declare would not be masked. */
const EARLIER_NAMES = { knownFields: 'hints', knownFieldsFor: 'hintsFor' } as const;

/**
 * The module that a file of the user exports.
 *
 * @throws Error with a message for the user, which names the file, if it cannot be loaded or exports no complete module
 */
export async function loadUserModule(name: string, file: string): Promise<Module> {
  const module = await importUserFile(file).catch((error: unknown) => {
    const message = errorMessage(error);
    throw message.includes(path.dirname(file)) ? error : new Error(`${file}: ${message}`, { cause: error });
  });
  if (!isNamedModule(module))
    throw new Error(`${file} does not export a module: export default defineResource({ … }) or defineAction({ … })`);
  if (module.name !== name)
    throw new Error(`${file} calls itself "${module.name}"; the file of a module must have its name`);
  if (!isComplete(module)) throw new Error(`${file} lacks ${missingParts(module).join(', ')}`);
  const problem = schemaProblem(module);
  if (problem !== undefined) throw new Error(`"args" of ${file} cannot be used: ${problem}`);
  return module;
}

/** Why arguments cannot be checked, because what declares them is no schema. */
export function schemaProblem(module: Module): string | undefined {
  try {
    validateArguments(module, {}, 'static');
    return undefined;
  } catch (error) {
    return errorMessage(error).replace(' ignored in schema', '');
  }
}

/**
 * Stands in for a module whose code must not be loaded: tasks can be read and listed, but their arguments are not
 * checked.
 */
export function withheldModule(name: string): Module {
  const run = (): never => {
    throw new Error(`the module "${name}" is code that --no-exec does not load`);
  };
  const summary = 'a project module, which --no-exec does not load';
  const args = Type.Object({}, { additionalProperties: true });
  return { type: 'action', name, summary, args, examples: [], check: true, freeForm: 'arguments', run };
}

/** At first sight a module: its parts may be missing. */
interface Named {
  readonly type: Module['type'];
  readonly name: string;
}

export function isNamedModule(value: unknown): value is Named {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    (value.type === 'resource' || value.type === 'action') &&
    'name' in value &&
    typeof value.name === 'string'
  );
}

/** The parts that it lacks, that have a wrong type, or that have their earlier names, quoted. */
export function missingParts(module: Named): readonly string[] {
  const given: Readonly<Record<string, unknown>> = { ...module };
  const parts = Object.entries(REQUIRED_PARTS[module.type]).filter(([part, type]) => typeof given[part] !== type);
  const renamed = Object.entries(EARLIER_NAMES).filter(([part, earlier]) => earlier in given && !(part in given));
  return [
    ...parts.map(([part]) => `"${part}"`),
    ...renamed.map(([part, earlier]) => `"${part}", which was called "${earlier}"`),
  ];
}

function isComplete(module: Named): module is Module {
  return missingParts(module).length === 0;
}
