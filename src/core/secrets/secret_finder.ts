import type { Inventory } from '../model/inventory/inventory.js';
import { isPrintableAscii } from '../model/invisible.js';
import { allSteps, everyStep, type Play } from '../model/playbook/playbook.js';
import type { Block, Include, Task } from '../model/playbook/step.js';
import type { RunTaskResult } from '../model/run/result.js';
import { orElse } from '../model/source/diagnostic.js';
import { isMapping, type Value } from '../model/values/value.js';
import type { VariableLayer } from '../model/values/variables.js';
import { isNoSecret } from './names.js';
import type { Secrets } from './secrets.js';
import { forEachSecret } from './values.js';

/** A shorter text in a task's arguments is probably a word such as `present`. */
const LONG = 8;

/** One word of letters, as in `msg: production`: masking it everywhere would garble unrelated output. */
function isOrdinaryWord(text: string): boolean {
  return isPrintableAscii(text) ? /^[A-Z]?[a-z]+$/.test(text) : /^\p{Lu}?\p{Ll}+$/u.test(text);
}

export function ordinaryWordsIn(value: Value): readonly string[] {
  const words = new Set<string>();
  forEachSecret(value, true, (text) => {
    if (isOrdinaryWord(text)) words.add(text);
  });
  return [...words];
}

/** Finds texts that are secrets in variables, including these. */
export type FindsSecrets = (ofControllers: readonly VariableLayer[]) => readonly string[];

interface FoundFiles {
  readonly inventory: Pick<Inventory, 'groups' | 'controllers'>;
  readonly plays: readonly Play[];
  readonly extraVars: readonly VariableLayer[];
}

/**
 * Finds secrets in files, variables and results and adds them to the run's `Secrets`, which mask them by value in all
 * output.
 */
export class SecretFinder {
  /** By layer: names of variables with a secret in a template, which needs a controller's variables. */
  readonly #templated = new Map<VariableLayer, readonly string[]>();

  constructor(
    private readonly secrets: Secrets,
    private readonly inventory: Inventory,
    private readonly hasTemplate: (text: string) => boolean,
  ) {}

  /** Registers the values of keys such as `password` as secrets. Returns what it learns. */
  learn(value: Value): readonly string[] {
    return this.#add(value, false);
  }

  /** Learns every text and number in the value. */
  learnAll(value: Value): void {
    this.#add(value, true);
  }

  /** Learns from the result of a task, and returns what it learns. @param masked the task has `no_log`: everything in it is secret */
  learnResult(result: RunTaskResult, masked: boolean): readonly string[] {
    const change = 'change' in result ? result.change : undefined;
    const parts = [result.values, change !== undefined && 'after' in change ? [change.before, change.after] : null];
    if (!masked) return this.learn(parts);
    return this.learnMasked('failure' in result ? [...parts, result.failure.message] : parts);
  }

  /** Learns everything but the names of controllers and groups, which messages need. Returns what it learns. */
  learnAllButNames(value: Value): readonly string[] {
    return this.#learnAllBut(value, () => false);
  }

  #learnAllBut(value: Value, isPublic: (text: string) => boolean): readonly string[] {
    const { controllers, groups } = this.inventory;
    const found: string[] = [];
    forEachSecret(value, true, (text, named) => {
      if (named || (!controllers.has(text) && !groups.has(text) && !isPublic(text))) found.push(text);
    });
    for (const text of found) this.secrets.add(text);
    return found;
  }

  /**
   * Learns arguments and results of a task with `no_log`: all but ordinary words, unless their key is the name of a
   * secret. Returns what it learns.
   */
  learnMasked(value: Value): readonly string[] {
    return this.#learnAllBut(value, isOrdinaryWord);
  }

  /** As `learnMasked`, for a task as it is written: its templates are no secrets. Returns the texts without templates. */
  learnMaskedText(value: Value): readonly string[] {
    const found: string[] = [];
    forEachSecret(value, true, (text) => {
      if (!this.hasTemplate(text)) found.push(text);
    });
    this.learnMasked(found);
    return found;
  }

  learnWritten(layers: readonly VariableLayer[]): void {
    for (const layer of layers) this.#namesIn(layer);
  }

  learnFound(finders: readonly FindsSecrets[], plays: readonly Play[]): void {
    const { groups, controllers } = this.inventory;
    const ofInventory = [...groups.values(), ...controllers.values()].map((one) => one.layers);
    const besidePlaybooks = plays.flatMap((play) => [...play.groupLayers.values(), ...play.controllerLayers.values()]);
    const layers = [...ofInventory, ...besidePlaybooks].flat();
    for (const text of finders.flatMap((find) => find(layers))) this.secrets.add(text);
  }

  learnFiles({ inventory, plays, extraVars }: FoundFiles): void {
    for (const { layers } of [...inventory.groups.values(), ...inventory.controllers.values()])
      this.learnWritten(layers);
    for (const play of plays) this.#learnPlay(play);
    this.learnWritten(extraVars);
  }

  #learnPlay(play: Play): void {
    for (const layers of [play.layers, ...play.groupLayers.values(), ...play.controllerLayers.values()])
      this.learnWritten(layers);
    for (const step of everyStep([...allSteps(play), ...play.handlers]))
      if (step.type !== 'meta' && step.type !== 'role') this.#learnStep(step);
  }

  /**
   * Arguments, items and variables of tasks and blocks with `no_log` are secret from the start: a code frame may show them
   * before the task runs. What an include reads is not.
   */
  #learnStep(step: Task | Include | Block): void {
    const { layers, loop, noLog, type } = step;
    const isMasked = noLog?.value === true;
    this.learnWritten(layers);
    const args = type === 'block' ? null : step.args;
    const ofStep = type === 'include' ? [] : [args, loop?.over.value ?? null];
    const written = isMasked
      ? [...ofStep, ...layers.flatMap(({ level, values }) => (level === 'magic' ? [] : values))]
      : [type === 'block' ? null : possibleSecrets(step)];
    const { controllers, groups } = this.inventory;
    forEachSecret(written, isMasked, (text, named) => {
      if (!named && (controllers.has(text) || groups.has(text))) return;
      if (this.hasTemplate(text) || (!isMasked && isNoSecret(text))) return;
      if (named || (text.length >= LONG && !(isMasked && isOrdinaryWord(text)))) this.secrets.add(text);
    });
  }

  /**
   * Learns the secrets of these layers as a controller sees them. A layer that is known already costs only its
   * templates. `get` throws if a template cannot be rendered.
   */
  learnLayers(layers: readonly VariableLayer[], variables: { get(name: string): Value | undefined }): void {
    for (const layer of layers) {
      for (const name of this.#namesIn(layer)) {
        // A value that cannot be rendered contains no secret yet.
        const value = orElse(null, () => variables.get(name) ?? null);
        if (layer.secret === true) this.learnAllButNames({ [name]: value });
        else this.learn({ [name]: value });
      }
    }
  }

  #add(value: Value, all: boolean): readonly string[] {
    const found: string[] = [];
    forEachSecret(value, all, (text) => {
      if (all || !isNoSecret(text)) found.push(text);
    });
    for (const text of found) this.secrets.add(text);
    return found;
  }

  #namesIn(layer: VariableLayer): readonly string[] {
    const known = this.#templated.get(layer);
    if (known !== undefined) return known;
    const secret = layer.secret === true;
    if (secret) this.learnAllButNames(layer.values);
    else this.learn(layer.values);
    const found = Object.entries(layer.values).flatMap(([name, value]) =>
      this.#hasTemplatedSecret(name, value, secret) ? [name] : [],
    );
    this.#templated.set(layer, found);
    return found;
  }

  #hasTemplatedSecret(name: string, value: Value, all: boolean): boolean {
    let found = false;
    forEachSecret({ [name]: value }, all, (text) => (found ||= this.hasTemplate(text)));
    return found;
  }
}

/** The arguments that can be secret by name: all except those that their module declares public. */
function possibleSecrets({ args, ...step }: Task | Include): Value {
  if (step.type !== 'task' || step.publicArgs.length === 0 || !isMapping(args)) return args;
  const { publicArgs } = step;
  return Object.fromEntries(Object.entries(args).filter(([name]) => !publicArgs.includes(name)));
}
