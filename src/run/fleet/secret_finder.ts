import type { Inventory } from '../../model/inventory.js';
import { holdsSecret } from '../../model/secret_entries.js';
import type { Secrets } from '../../model/secrets.js';
import { isList, isMapping, Unsafe, Vaulted, type Mapping, type Value } from '../../model/value.js';
import type { VariableLayer } from '../../model/variables.js';
import type { Variables } from '../../template/scope.js';

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
    for (const text of secretTexts(value, false)) this.secrets.add(text);
  }

  /** Every text in it. */
  learnAll(value: Value): void {
    for (const text of secretTexts(value, true)) this.secrets.add(text);
  }

  /** Every text in it but the names of controllers and groups, without which nothing could be told any more. */
  hide(value: Value): void {
    const { controllers, groups } = this.inventory;
    for (const text of secretTexts(value, true))
      if (!controllers.has(text) && !groups.has(text)) this.secrets.add(text);
  }

  /** The secrets that stand in these layers as they were written. */
  learnWritten(layers: readonly VariableLayer[]): void {
    for (const layer of layers) this.#namesIn(layer);
  }

  /** The secrets of these layers as this controller sees them; layers met before cost nothing but their templates. */
  learnLayers(layers: readonly VariableLayer[], variables: Variables): void {
    for (const layer of layers) {
      for (const name of this.#namesIn(layer)) {
        const value = rendered(variables, name);
        if (layer.secret === true) this.hide(value);
        else this.learn({ [name]: value });
      }
    }
  }

  #namesIn(layer: VariableLayer): readonly string[] {
    const known = this.#templated.get(layer);
    if (known !== undefined) return known;
    const secret = layer.secret === true;
    if (secret) this.hide(layer.values);
    else this.learn(layer.values);
    const names = Object.keys(layer.values);
    const found = names.filter((name) => hasTemplatedSecret({ [name]: layer.values[name] ?? null }, secret));
    this.#templated.set(layer, found);
    return found;
  }
}

/** What cannot be rendered is no secret yet. */
function rendered(variables: Variables, name: string): Value {
  try {
    return variables.get(name) ?? null;
  } catch {
    return null;
  }
}

function hasTemplatedSecret(values: Mapping, all: boolean): boolean {
  return secretTexts(values, all).some((text) => text.includes('{{'));
}

/** The texts under secret names; with `all`, every text. */
function secretTexts(value: Value, all: boolean): readonly string[] {
  // It becomes a secret when it is decrypted, and nobody has done so yet.
  if (value instanceof Vaulted) return [];
  if (value instanceof Unsafe) return all ? [value.text] : [];
  if (typeof value === 'string') return all ? [value] : [];
  if (isList(value)) return value.flatMap((item) => secretTexts(item, all));
  if (!isMapping(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => secretTexts(entry, all || holdsSecret(name, entry, value)));
}
