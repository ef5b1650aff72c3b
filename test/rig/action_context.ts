import { connect } from 'node:net';
import { validateArguments } from '../../src/module/arguments/validation.js';
import type { ActionContext, Mapping, Module, RawAnswer, RawRequest, Value } from '../../src/module/contract.js';

/** The parts of an action's context that a test may set, and what the action did with it. */
export interface ActionOptions {
  readonly variables?: Readonly<Record<string, Value>>;
  readonly verbosity?: number;
  readonly checkMode?: boolean;
  readonly answer?: (request: RawRequest) => RawAnswer;
  /** The objects of a list, with its query as text behind the path. */
  readonly list?: (path: string) => readonly Mapping[];
  /** Whether the controller accepts a password. */
  readonly signIn?: (password: string, when: string | undefined) => boolean;
  readonly slept?: number[];
  /** Default: no time passes. */
  readonly sleep?: (seconds: number) => Promise<void>;
  readonly warned?: string[];
  readonly hidden?: string[];
  readonly waited?: string[];
  /** In place of the usual ones. */
  readonly parts?: Partial<ActionContext>;
}

/** Validates the arguments and runs an action with them. An expression is a variable's name, or a literal. */
export function act(
  module: Module,
  args: Value,
  options: ActionOptions = {},
): ReturnType<Extract<Module, { type: 'action' }>['run']> {
  const checked = validateArguments(module, args, 'rendered');
  if ('problems' in checked) throw new Error(checked.problems.map(({ message }) => message).join('\n'));
  if (module.type !== 'action') throw new Error(`${module.name} is no action`);
  return module.run(
    checked.args as Parameters<typeof module.run>[0],
    contextOf(options, module.connection?.(args as Mapping)),
  );
}

function contextOf(options: ActionOptions, connection: Mapping = {}): ActionContext {
  const {
    variables = {},
    verbosity = 0,
    checkMode = false,
    answer,
    list,
    signIn,
    slept,
    sleep,
    warned,
    hidden,
    waited,
    parts,
  } = options;
  const request = (one: RawRequest): Promise<RawAnswer> =>
    answer === undefined ? Promise.reject(new Error('no controller here')) : Promise.resolve(answer(one));
  return {
    controller: 'lb01',
    checkMode,
    verbosity,
    signal: new AbortController().signal,
    evaluate: (expression) => (typeof expression === 'string' ? variableOf(variables, expression) : expression),
    isTrue: (value) => value === true,
    sleep: (seconds) => {
      slept?.push(seconds);
      return sleep?.(seconds) ?? Promise.resolve();
    },
    variable: (name) => variables[name],
    hide: (secret) => {
      hidden?.push(secret);
    },
    warn: (message) => {
      warned?.push(message);
    },
    simulated: false,
    searchPath: () => [],
    readVariables: () => Promise.resolve(undefined),
    address: () => 'lb01.example.com',
    connect: (to) => Promise.resolve(connect(to)),
    ask: () => Promise.resolve(undefined),
    account: () => Promise.resolve(accountIn({ ...variables, ...connection })),
    aloneWithAccount: (work) => work(),
    signIn: (password, when) =>
      signIn === undefined ? Promise.reject(new Error('no controller here')) : Promise.resolve(signIn(password, when)),
    ping: () => Promise.reject(new Error('no controller here')),
    request,
    attempt: request,
    list: (path, { query = {} }) =>
      list === undefined
        ? Promise.reject(new Error('no controller here'))
        : Promise.resolve({ objects: list(`${path}?${new URLSearchParams(query).toString()}`) }),
    attemptList: () => Promise.reject(new Error('no controller here')),
    waiting: (_attempt, _attempts, message) => {
      waited?.push(message);
    },
    savesAs: () => undefined,
    progress: () => undefined,
    ...parts,
  };
}

function accountIn({ controller_username: user, controller_password: password, controller_auth: auth }: Mapping) {
  return {
    username: typeof user === 'string' ? user : 'admin',
    password: typeof password === 'string' ? password : '',
    auth: auth === 'session' ? auth : 'basic',
  } as const;
}

function variableOf(variables: Readonly<Record<string, Value>>, name: string): Value {
  const value = variables[name];
  if (value === undefined) throw Object.assign(new Error(`"${name}" is undefined`), { undefinedName: name });
  return value;
}
