import path from 'node:path';
import { getOrAdd } from '../../core/model/values/groups.js';
import { isList, isMapping, type Value } from '../../core/model/values/value.js';
import { NoAnswer, PythonProcess } from '../../core/programs/python_process.js';
import { WaitInterrupted } from '../../core/programs/side_thread.js';
import { Interrupted, NotKnownYet, TemplateError } from '../runtime/errors.js';
import type { TemplateFrame } from '../runtime/frame.js';
import type { Plugin, PluginCall, Plugins, PluginType } from '../runtime/plugins.js';
import { asText, requireDefined, Undefined, type Result } from '../runtime/result.js';
import { PluginSearch, type PluginSearchOptions } from './search.js';
import { withObjectTexts, Wire } from './wire.js';

/** Milliseconds that a call may take, unless `EVENKEEL_PLUGIN_TIMEOUT` (seconds) says otherwise. */
const TIMEOUT = 120_000;

/** Where the call of a plugin is made, and what it calls. */
interface Called {
  readonly type: PluginType;
  readonly name: string;
  readonly files: readonly string[];
  readonly frame: TemplateFrame;
}

/** Executes nothing before a plugin is called. @param allowed whether anything may be executed */
export function openPlugins(options: PluginSearchOptions, allowed: boolean): Plugins {
  return new PythonPlugins(new PluginSearch(options), allowed, options.env);
}

/** Calls the plugins of a project in one process. */
class PythonPlugins implements Plugins {
  readonly #wire = new Wire();
  readonly #found = new Map<string, Plugin | undefined>();
  /** The names that a file computes, by type and file. */
  readonly #names = new Map<string, ReadonlySet<string> | 'unknown'>();
  /** Results within the evaluation of one template. */
  readonly #known = new Map<string, Result>();
  #depth = 0;
  #process: PythonProcess | undefined;

  /** @param allowed whether anything may be executed */
  constructor(
    private readonly search: PluginSearch,
    private readonly allowed: boolean,
    private readonly env: Readonly<Record<string, string | undefined>>,
  ) {}

  get collections(): readonly string[] {
    return this.search.collections;
  }

  addFolder(folder: string): void {
    if (this.search.addFolder(folder)) this.#found.clear();
  }

  find(type: PluginType, name: string, isKnown: boolean): Plugin | undefined {
    const key = `${type} ${name} ${isKnown}`;
    if (this.#found.has(key)) return this.#found.get(key);
    const files = this.#files(type, name, isKnown);
    const plugin = files.length === 0 ? undefined : { call: (call: PluginCall) => this.#call(type, name, files, call) };
    this.#found.set(key, plugin);
    return plugin;
  }

  /** Asks Python for the names of files that compute theirs, if nothing else is known by this name. If it may not be asked, each may have it. */
  #files(type: PluginType, name: string, isKnown: boolean): readonly string[] {
    const files = this.search.files(type, name, isKnown);
    if (files.length > 0 || isKnown || type === 'lookup') return files;
    const short = name.slice(name.lastIndexOf('.') + 1);
    const computed = this.search.computed(type, name);
    if (!this.allowed) return computed;
    return computed.filter((file) => {
      const names = getOrAdd(this.#names, `${type} ${file}`, () => this.#listNames(type, file));
      return names === 'unknown' || names.has(name) || names.has(short);
    });
  }

  /** `unknown` if the file cannot be loaded: a call of it then says why. */
  #listNames(type: PluginType, file: string): ReadonlySet<string> | 'unknown' {
    try {
      this.#process ??= new PythonProcess(this.env, this.#timeout());
      const line = JSON.stringify({ names: { type, file, collections: this.search.collections } });
      const answer: unknown = JSON.parse(this.#process.exchange(line));
      const names = isMapping(answer) && isList(answer['ok']) ? answer['ok'] : undefined;
      return names === undefined ? 'unknown' : new Set(names.map(asText));
    } catch (error) {
      if (error instanceof WaitInterrupted)
        throw new Interrupted(`interrupted while ${this.search.show(file)} was loaded`);
      if (error instanceof NoAnswer) return 'unknown';
      throw error;
    }
  }

  redirect(type: PluginType | 'modules', name: string): string | undefined {
    return this.search.redirect(type, name);
  }

  readonly during = (evaluate: () => Result): Result => {
    const { objects } = this.#wire;
    this.#depth += 1;
    try {
      const result = evaluate();
      return this.#wire.objects === objects || result instanceof Undefined ? result : withObjectTexts(result);
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#known.clear();
    }
  };

  #call(type: PluginType, name: string, files: readonly string[], { args, named, frame }: PluginCall): Result {
    const folder = frame.scope.get('playbook_dir');
    const called: Called = { type, name, files, frame };
    const call = {
      type,
      name,
      files,
      collections: this.search.collections,
      folder: typeof folder === 'string' ? folder : process.cwd(),
      args: args.map((one) => this.#wire.encode(one)),
      named: Object.fromEntries([...named].map(([key, one]) => [key, this.#wire.encode(one)])),
    };
    const line = JSON.stringify({ call });
    const known = this.#known.get(line);
    if (known !== undefined) return known;
    const result = this.#result(line, called);
    if (this.#depth > 0) this.#known.set(line, result);
    return result;
  }

  #result(line: string, called: Called): Result {
    const failures: unknown[] = [];
    let answer = this.#exchange(line, called);
    while (isMapping(answer) && answer['ask'] !== undefined)
      answer = this.#exchange(this.#answer(answer['ask'], called.frame, failures), called);
    if (isMapping(answer) && 'ok' in answer) {
      const { ok = null, printed } = answer;
      if (typeof printed === 'string' && printed !== '') {
        const problem = `it printed to standard output: ${printed.trim().split('\n')[0] ?? ''}`;
        throw this.#error(called, problem, 'a plugin returns its result; remove the print');
      }
      try {
        return this.#wire.decode(ok);
      } catch (error) {
        throw error instanceof TemplateError ? this.#error(called, error.message) : error;
      }
    }
    const own = failures.find((one) => one instanceof NotKnownYet || one instanceof Interrupted);
    throw own ?? this.#failure(isMapping(answer) ? (answer['failed'] ?? null) : null, called);
  }

  #exchange(line: string, called: Called): Value {
    if (!this.allowed) throw this.#error(called, '--no-exec does not run Python code');
    try {
      this.#process ??= new PythonProcess(this.env, this.#timeout());
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON, which has these values only
      return JSON.parse(this.#process.exchange(line)) as Value;
    } catch (error) {
      if (error instanceof WaitInterrupted) throw new Interrupted(`interrupted during the ${this.#title(called)}`);
      if (error instanceof NoAnswer) throw this.#error(called, error.message, hintFor(error.message));
      throw error;
    }
  }

  #timeout(): number {
    const seconds = Number(this.env['EVENKEEL_PLUGIN_TIMEOUT'] ?? '');
    return seconds > 0 ? seconds * 1000 : TIMEOUT;
  }

  /** The answer to a question of a plugin: the value of a variable, the names of all, or a rendered text. */
  #answer(question: Value, frame: TemplateFrame, failures: unknown[]): string {
    const { scope } = frame;
    const { variable, template } = isMapping(question) ? question : {};
    const found = (): Result | undefined => {
      if (typeof variable === 'string') return scope.get(variable);
      return typeof template === 'string' ? scope.library?.template(template)(frame) : [...scope.names()];
    };
    try {
      const value = found();
      return JSON.stringify(value === undefined ? {} : { value: this.#wire.encode(requireDefined(value)) });
    } catch (error) {
      failures.push(error);
      return JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  #failure(failed: Value, called: Called): TemplateError {
    const { type = null, message = '', module = null, place = null } = isMapping(failed) ? failed : {};
    const [file, line] = isList(place) ? place.map(asText) : [];
    const position = file === undefined ? undefined : `${this.search.show(file)}:${line ?? ''}`;
    const isUndefined = type === 'undefined';
    return this.#error(called, asText(message), failureHint(type, asText(module)), position, isUndefined);
  }

  #title({ type, name, files }: Pick<Called, 'type' | 'name' | 'files'>): string {
    return `${type} "${name}" of ${this.search.show(files[0] ?? '')}`;
  }

  #error(called: Called, reason: string, hint?: string, position?: string, isUndefined = false): TemplateError {
    const where = position === undefined ? '' : ` (${path.normalize(position)})`;
    const details = { hint, ...(isUndefined && { undefinedName: called.name }) };
    return new TemplateError(`the ${this.#title(called)} failed: ${reason}${where}`, details);
  }
}

function hintFor(message: string): string | undefined {
  if (message.startsWith('there is no python3'))
    return 'install Python 3, or name it: EVENKEEL_PYTHON=/path/to/python3';
  return message.startsWith('it took longer') ? 'to wait longer, set EVENKEEL_PLUGIN_TIMEOUT (seconds)' : undefined;
}

function failureHint(type: Value, module: string): string | undefined {
  if (type === 'missing')
    return `install the package of "${module}" for this Python, or name another: EVENKEEL_PYTHON=/path/to/python3`;
  return type === 'unfit'
    ? 'a plugin returns what other templates can use: texts, numbers, lists, mappings'
    : undefined;
}
