import { isIPv4 } from 'node:net';
import type { CommandContext } from '../cli/context.js';
import { ask } from '../cli/prompt.js';
import { expandNames } from '../project/inventory/range.js';
import { plain } from '../reporting/text/plain.js';
import { passwordVariable, type NewEnvironment, type NewProject } from './project_files.js';

/** The options of `init`. Missing values are asked for, or have a default. */
export interface InitAnswers {
  readonly env?: readonly string[];
  /** The environments with `confirm: true`, or `none`. */
  readonly confirm?: readonly string[];
  /** `NAME,NAME` for the first environment, or `ENVIRONMENT=NAME,NAME`. */
  readonly controllers?: readonly string[];
  readonly dialect?: NewProject['dialect'];
  readonly yes?: boolean;
}

export type Answered =
  | { readonly status: 'answered'; readonly project: NewProject }
  | { readonly status: 'refused'; readonly message: string; readonly hint: string }
  | { readonly status: 'interrupted' };

/** The answers of the options, of the user at a terminal, and the defaults. */
export async function askForAnswers(options: InitAnswers, context: CommandContext): Promise<Answered> {
  const asks = context.stdin.isTTY && options.yes !== true;
  const isOpen = [options.env, options.controllers, options.confirm, options.dialect].includes(undefined);
  if (!context.stdin.isTTY && options.yes !== true && isOpen)
    context.stderr.write(
      'stdin is not a terminal, so init reads no answers and uses defaults; set them with --env, --controllers, --confirm and --dialect\n',
    );
  const put: Put = async (question, otherwise, check) => {
    if (!asks) return otherwise;
    const [about] = Object.entries(ABOUT).find(([, beginning]) => `${question} [`.startsWith(beginning)) ?? [];
    if (about !== undefined) context.stderr.write(`${about}\n`);
    return askUntil(question, otherwise, check, context);
  };
  const names = options.env?.join(',') ?? (await put('Environments', 'development, production', environmentProblem));
  if (names === undefined) return { status: 'interrupted' };
  const problem = environmentProblem(names);
  if (problem !== undefined) return { status: 'refused', message: problem, hint: 'such as: --env development' };
  const given = controllersGiven(options.controllers ?? [], splitList(names));
  if ('message' in given) return { status: 'refused', ...given };
  const check = (text: string): string | undefined => confirmProblem(text, splitList(names));
  const likely = namesToProtect(splitList(names)).join(', ') || NONE;
  const confirm =
    options.confirm?.join(',') ?? (await put('Environments in which a run asks before it writes', likely, check));
  if (confirm === undefined) return { status: 'interrupted' };
  const unknown = check(confirm);
  if (unknown !== undefined) return { status: 'refused', message: `--confirm: ${unknown}`, hint: CONFIRM_HINT };
  const environments: NewEnvironment[] = [];
  for (const name of splitList(names)) {
    const text =
      given.get(name) ?? (await put(`Controllers of ${name}`, `lb[01:03].${name}.example.com`, controllerProblem));
    if (text === undefined) return { status: 'interrupted' };
    environments.push({ name, confirm: splitList(confirm).includes(name), controllers: splitNames(text) });
  }
  const dialect =
    options.dialect ?? (await put('Dialect of the controllers: generic or avi', 'generic', dialectProblem));
  if (dialect === undefined) return { status: 'interrupted' };
  return { status: 'answered', project: { environments, dialect: dialect === 'avi' ? 'avi' : 'generic' } };
}

/** What a question is about, and how it begins. */
const ABOUT = {
  'Environments have an inventory each; --env NAME picks one.': 'Environments [',
  'In these, a run shows its controllers and waits until you type the name.': 'Environments in which',
  'Host names, IPv4 addresses or ranges such as lb[01:12].example.com, with commas between them.': 'Controllers of',
  'How controllers sign in and answer: avi for Avi and NSX ALB controllers, generic for others.': 'Dialect',
} as const;

/** Asks on the terminal, otherwise returns the default. Undefined if interrupted. */
type Put = (question: string, otherwise: string, check: AnswerCheck) => Promise<string | undefined>;

/** The error in an answer; undefined if it is valid. */
type AnswerCheck = (text: string) => string | undefined;

async function askUntil(
  question: string,
  otherwise: string,
  check: AnswerCheck,
  context: CommandContext,
): Promise<string | undefined> {
  for (;;) {
    const answer = await ask(`${question} [${otherwise}]: `, context);
    if (answer === undefined) return undefined;
    const meant = answer.trim() === '' ? otherwise : answer.trim();
    const problem = check(meant);
    if (problem === undefined) return meant;
    context.stderr.write(`${plain(problem)}\n`);
  }
}

const ENVIRONMENT = /^[a-z][\w-]*$/i;
/** A name or an IPv4 address; with ranges such as `[01:03]`. */
const CONTROLLER = /^\w(?:[\w.-]|\[\w+:\w+(?::\d+)?\])*$/;

function environmentProblem(text: string): string | undefined {
  const names = splitList(text);
  const wrong = names.find((name) => !ENVIRONMENT.test(name));
  if (wrong !== undefined)
    return `"${wrong}" cannot name an environment: begin with a letter, and use letters, digits, "-" and "_"`;
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    return 'two environments have the same name';
  return names.length === 0 ? 'name at least one environment' : sharedPassword(names);
}

/** A password of one environment must not be sent to the controllers of another. */
function sharedPassword(names: readonly string[]): string | undefined {
  const seen = new Map<string, string>();
  for (const name of names) {
    const variable = passwordVariable(name);
    const other = seen.get(variable);
    if (other !== undefined)
      return `the environments "${other}" and "${name}" would both read their password from ${variable}: rename one of them`;
    seen.set(variable, name);
  }
  return undefined;
}

/** The answer that protects no environment. */
const NONE = 'none';
const CONFIRM_HINT = 'such as: --confirm production, or --confirm none';

function confirmProblem(text: string, environments: readonly string[]): string | undefined {
  const names = splitList(text);
  const wrong = names.find((name) => !environments.includes(name));
  if (names.length === 0) return `name an environment, or answer ${NONE}`;
  if (wrong === undefined || (wrong === NONE && names.length === 1)) return undefined;
  return `"${wrong}" is not an environment of the project: use ${environments.join(', ')} or ${NONE}`;
}

function controllerProblem(text: string): string | undefined {
  const names = splitNames(text);
  for (const name of names) {
    if (/\s/.test(name)) return `"${name}" has a space: put commas between controllers`;
    if (!CONTROLLER.test(name))
      return `"${name}" cannot name a controller: use a host name, an IPv4 address or a range`;
    const expanded = expandNames(name);
    if (expanded.type === 'problem') return expanded.message;
    const wrong = expanded.names.find((one) => /^[\d.]+$/.test(one) && !isIPv4(one));
    if (wrong !== undefined) return `"${wrong}" is neither a host name nor an IPv4 address`;
  }
  if (new Set(names).size < names.length) return 'two controllers have the same name';
  return names.length === 0 ? 'name at least one controller' : undefined;
}

function dialectProblem(text: string): string | undefined {
  return text === 'generic' || text === 'avi' ? undefined : `"${text}" is not a dialect: use generic or avi`;
}

function controllersGiven(
  options: readonly string[],
  environments: readonly string[],
): ReadonlyMap<string, string> | { readonly message: string; readonly hint: string } {
  const found = new Map<string, string>();
  for (const option of options) {
    const [, named, text = ''] = /^(?:([\w-]+)=)?([^]*)$/.exec(option) ?? [];
    const environment = named ?? environments[0] ?? '';
    if (!environments.includes(environment))
      return {
        message: `--controllers names the environment "${environment}", which the project does not have`,
        hint: `environments: ${environments.join(', ')}`,
      };
    const all = [found.get(environment), text].join(',');
    const message = controllerProblem(all);
    if (message !== undefined)
      return { message: `--controllers: ${message}`, hint: 'such as: --controllers production=lb1,lb2' };
    found.set(environment, all);
  }
  return found;
}

/** A space within a name is a mistake, not the start of another name: `foo bar`. */
function splitNames(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function splitList(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}

/** Words of the names of environments that serve users. */
const LIVE = new Set(['prod', 'prd', 'production', 'live', 'dr']);

/**
 * The environments in which a run should ask before it writes: those whose names contain such a word (`prod-eu`,
 * `EuProd2`). If no name tells, all but the first: one question too many is better than one too few.
 */
function namesToProtect(names: readonly string[]): readonly string[] {
  const live = names.filter((name) => splitWords(name).some((word) => LIVE.has(word)));
  return live.length > 0 ? live : names.slice(1);
}

function splitWords(name: string): readonly string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}
