import type { Include, Task } from '../../model/playbook/step.js';
import type { Inventory } from '../../model/inventory/inventory.js';
import type { Play } from '../../model/playbook/playbook.js';
import type { TaskResult } from '../../model/run/result.js';
import { forEachSecret } from '../../model/secret_values.js';
import type { Secrets } from '../../model/secrets.js';
import { stepsOf, tasksIn } from '../../model/playbook/steps.js';
import { isMapping, type Value } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Variables } from '../../template/scope.js';
import { hasTemplate } from '../../template/template.js';

/** One word of letters, as in `msg: production`: masking it everywhere would garble what has nothing to do with the task. */
const ORDINARY_WORD = /^\p{Lu}?\p{Ll}+$/u;
/** A shorter text in a task's arguments is most likely a word such as `present`. */
const LONG = 8;

/** The ordinary words of a value. */
export function ordinaryWordsIn(value: Value): readonly string[] {
  const words = new Set<string>();
  forEachSecret(value, true, (text) => {
    if (ORDINARY_WORD.test(text)) words.add(text);
  });
  return [...words];
}

interface Files {
  readonly inventory: Pick<Inventory, 'groups' | 'controllers'>;
  readonly plays: readonly Play[];
  readonly extraVars: readonly VariableLayer[];
}

/** Learns the secrets that pass by, so that they can be masked by value wherever they come out again. */
export class SecretFinder {
  /** Names of variables that hold a secret which only a controller's variables can fill in, by layer. */
  readonly #templated = new Map<VariableLayer, readonly string[]>();

  constructor(
    private readonly secrets: Secrets,
    private readonly inventory: Inventory,
  ) {}

  /** Everything in it that stands under a name such as `password`. */
  learn(value: Value): void {
    this.#add(value, false);
  }

  /** Everything in it. */
  learnAll(value: Value): void {
    this.#add(value, true);
  }

  /** What a task came to; under `no_log` all of it. */
  learnResult(result: TaskResult, censored: boolean): void {
    const change = 'change' in result ? result.change : undefined;
    const parts = [result.values, change !== undefined && 'after' in change ? [change.before, change.after] : null];
    if (!censored) this.learn(parts);
    else this.censor('failure' in result ? [...parts, result.failure.message] : parts);
  }

  /** Everything in it but the names of controllers and groups, without which nothing could be told any more. */
  hide(value: Value): void {
    this.#hide(value, () => false);
  }

  #hide(value: Value, isOpen: (text: string) => boolean): void {
    const { controllers, groups } = this.inventory;
    forEachSecret(value, true, (text, named) => {
      if (named || (!controllers.has(text) && !groups.has(text) && !isOpen(text))) this.secrets.add(text);
    });
  }

  /** Inputs and results of a task with `no_log`: all but ordinary words, unless a name marks them as secrets. */
  censor(value: Value): void {
    this.#hide(value, (text) => ORDINARY_WORD.test(text));
  }

  /** The secrets that stand in these layers as they were written. */
  learnWritten(layers: readonly VariableLayer[]): void {
    for (const layer of layers) this.#namesIn(layer);
  }

  /** The secrets that stand in what was loaded. */
  learnFiles({ inventory, plays, extraVars }: Files): void {
    for (const { layers } of [...inventory.groups.values(), ...inventory.controllers.values()])
      this.learnWritten(layers);
    for (const play of plays) this.#learnPlay(play);
    this.learnWritten(extraVars);
  }

  #learnPlay(play: Play): void {
    for (const layers of [play.layers, ...play.groupLayers.values(), ...play.controllerLayers.values()])
      this.learnWritten(layers);
    for (const step of tasksIn([...stepsOf(play), ...play.handlers])) this.#learnStep(step);
  }

  /** What is written under `no_log` is secret before the task is met: a code frame may show it. */
  #learnStep(step: Task | Include): void {
    const { args, layers, noLog } = step;
    const isCensored = noLog?.value === true;
    this.learnWritten(layers);
    const written = isCensored ? [args, ...layers.map(({ values }) => values)] : [hiddenByName(step)];
    forEachSecret(written, isCensored, (text, named) => {
      if (hasTemplate(text)) return;
      if (named || (text.length >= LONG && !(isCensored && ORDINARY_WORD.test(text)))) this.secrets.add(text);
    });
  }

  /** The secrets of these layers as this controller sees them; layers met before cost nothing but their templates. */
  learnLayers(layers: readonly VariableLayer[], variables: Variables): void {
    for (const layer of layers) {
      for (const name of this.#namesIn(layer)) {
        const value = rendered(variables, name);
        if (layer.secret === true) this.hide({ [name]: value });
        else this.learn({ [name]: value });
      }
    }
  }

  #add(value: Value, all: boolean): void {
    forEachSecret(value, all, (text) => {
      this.secrets.add(text);
    });
  }

  #namesIn(layer: VariableLayer): readonly string[] {
    const known = this.#templated.get(layer);
    if (known !== undefined) return known;
    const secret = layer.secret === true;
    if (secret) this.hide(layer.values);
    else this.learn(layer.values);
    const found = Object.entries(layer.values).flatMap(([name, value]) =>
      hasTemplatedSecret(name, value, secret) ? [name] : [],
    );
    this.#templated.set(layer, found);
    return found;
  }
}

/** The arguments whose names may tell of secrets. */
function hiddenByName({ args, ...step }: Task | Include): Value {
  if (step.type !== 'task' || step.publicArgs.length === 0 || !isMapping(args)) return args;
  const { publicArgs } = step;
  return Object.fromEntries(Object.entries(args).filter(([name]) => !publicArgs.includes(name)));
}

/** What cannot be rendered is no secret yet. */
function rendered(variables: Variables, name: string): Value {
  try {
    return variables.get(name) ?? null;
  } catch {
    return null;
  }
}

function hasTemplatedSecret(name: string, value: Value, all: boolean): boolean {
  let found = false;
  forEachSecret({ [name]: value }, all, (text) => {
    found ||= hasTemplate(text);
  });
  return found;
}
