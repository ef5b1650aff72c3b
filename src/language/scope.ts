import type { Source } from '../core/model/source/diagnostic.js';
import { isMapping, LazyMapping, Unsafe, type Value } from '../core/model/values/value.js';
import { LEVELS, type VariableLayer, type VariableLevel } from '../core/model/values/variables.js';
import { located, needsRendering, renderValue } from './render.js';
import { TemplateError } from './runtime/errors.js';
import type { Compiled, EvaluationScope, Gap } from './runtime/frame.js';
import { OMIT, step, walk } from './runtime/result.js';
import { hasTemplate } from './syntax/template.js';

export type { EvaluationScope } from './runtime/frame.js';

/** A variable as it was written, and the layer that it comes from. */
export interface Definition {
  readonly value: Value;
  readonly layer: VariableLayer;
}

/** So many are searched as fast as a map. Each controller of a run in lockstep keeps its map all the time. */
const FEW_LAYERS = 4;

/**
 * Layers of variables, looked up from the strongest to the weakest by level. Values are rendered when they are needed, in the scope
 * that needs them, so the templates of a play see the variables of a task or loop. Nothing is copied; rendered values are cached as
 * long as the scope lives, so make a child scope whenever a variable changes. There is one for each task of each controller, so it
 * allocates nothing before it is needed.
 */
export class Variables implements EvaluationScope {
  readonly library: Compiled | undefined;
  /** The layers of this scope, strongest first. */
  readonly #layers: readonly VariableLayer[];
  readonly #parent: Variables | undefined;
  /** The layer of each name. Only for scopes without a parent, because they live long, and only if there are many. */
  #known: Map<string, VariableLayer> | undefined;
  readonly #magic: LazyMapping | undefined;
  #rendered: Map<string, Value> | undefined;
  /** What is being rendered, outermost first: a name that occurs again refers to itself. */
  #active: string[] | undefined;

  /**
   * `layers` are weakest first within a level, and stronger than the parent's of the same level. `magic` is stronger than
   * everything and never rendered. Without them, the parent's `magic` and `library` are used.
   */
  constructor(layers: readonly VariableLayer[], parent?: Variables, magic?: LazyMapping, library?: Compiled) {
    // Sorting is stable: at the same level, later layers come before earlier ones.
    this.#layers = layers.length < 2 ? layers : layers.toReversed().sort((a, b) => rank(b) - rank(a));
    this.#parent = parent;
    this.library = library ?? parent?.library;
    this.#magic = magic ?? (parent ? parent.#magic : undefined);
  }

  /** The same variables with further layers: of a task, of a loop's item, of what was registered. */
  child(layers: readonly VariableLayer[]): Variables {
    return new Variables(layers, this);
  }

  get(name: string): Value | undefined {
    const magic = this.#magic?.get(name);
    if (magic !== undefined) return magic;
    const done = this.#rendered?.get(name);
    if (done !== undefined) return done;
    const layer = this.#findLayer(name);
    if (layer === undefined) return name === 'vars' ? new VariablesByName(this) : undefined;
    const value = layer.values[name] ?? null;
    if (layer.literal || !needsRendering(value)) return value instanceof Unsafe ? value.text : value;
    const rendered = this.#render([name], value, layer);
    // Rendered again each time, so that each use of `omit` is counted.
    if (rendered !== OMIT) (this.#rendered ??= new Map()).set(name, rendered);
    return rendered;
  }

  /** The same variables; reports each name that is looked up, those in templates included. */
  traced(onName: (name: string) => void): Variables {
    return new TracedVariables(this, onName, this.#magic?.traced?.(onName));
  }

  /** The layers added since an outer scope; without an outer scope, all layers. */
  layersSince(outer?: Variables): readonly VariableLayer[] {
    if (this === outer) return [];
    const before = this.#parent?.layersSince(outer) ?? [];
    return before.length === 0 ? this.#layers : [...before, ...this.#layers];
  }

  reach(path: readonly string[]): Value | undefined {
    const [name = '', ...inside] = path;
    const known = this.#magic?.get(name) ?? this.#rendered?.get(name);
    if (known !== undefined) return walk(known, inside);
    const layer = this.#findLayer(name);
    if (layer === undefined) return name === 'vars' ? walk(new VariablesByName(this), inside) : undefined;
    const value = layer.values[name] ?? null;
    if (layer.literal || !needsRendering(value)) return walk(value, inside);
    return this.#reachInto(path, value, layer);
  }

  gap(_gap: Gap): void {
    this.library?.gaps.note();
  }

  names(): Iterable<string> {
    const names = new Set(this.#magic?.keys());
    // Without a call for each layer: each controller has many.
    for (const { values } of this.#layers) for (const name of Object.keys(values)) names.add(name);
    for (const name of this.#parent?.names() ?? []) names.add(name);
    return names;
  }

  findSource(name: string): Source | undefined {
    return this.#findLayer(name)?.locate?.([name]);
  }

  /** The variable before rendering; magic ones have no definition. */
  find(name: string): Definition | undefined {
    const layer = this.#findLayer(name);
    return layer && { value: layer.values[name] ?? null, layer };
  }

  /** Prefers a parent's layer of a higher level to a child's: extra variables beat a task's. */
  #findLayer(name: string): VariableLayer | undefined {
    const isRemembered = this.#parent === undefined && this.#layers.length > FEW_LAYERS;
    const known = isRemembered ? this.#known?.get(name) : undefined;
    if (known !== undefined) return known;
    let own: VariableLayer | undefined;
    // Without a call for each layer, as in `names`.
    for (const layer of this.#layers) {
      if (!Object.hasOwn(layer.values, name)) continue;
      own = layer;
      break;
    }
    const outer = this.#parent === undefined ? undefined : this.#parent.#findLayer(name);
    const found = own && outer ? (rank(own) >= rank(outer) ? own : outer) : (own ?? outer);
    if (isRemembered && found) (this.#known ??= new Map()).set(name, found);
    return found;
  }

  /** Walks through the unrendered value, and renders only texts on the path. */
  #reachInto(path: readonly string[], start: Value, layer: VariableLayer): Value | undefined {
    let value = start;
    for (let index = 1; index < path.length; index += 1) {
      if (typeof value === 'string') return walk(this.#render(path.slice(0, index), value, layer), path.slice(index));
      const next = step(value, path[index] ?? '');
      if (next === undefined)
        return isMapping(value) && Object.keys(value).some(hasTemplate) ? this.#walkRendered(path) : undefined;
      value = next;
    }
    const rendered = needsRendering(value) ? this.#render(path, value, layer) : value;
    return rendered === OMIT ? undefined : rendered;
  }

  /** If keys are templates too, the whole variable must be rendered. */
  #walkRendered([name = '', ...inside]: readonly string[]): Value | undefined {
    const value = this.get(name);
    return value === undefined ? undefined : walk(value, inside);
  }

  #render(path: readonly string[], value: Value, layer: VariableLayer): Value {
    const name = path.join('.');
    const active = (this.#active ??= []);
    if (active.includes(name)) throw circle([...active.slice(active.indexOf(name)), name]);
    active.push(name);
    try {
      const { locate } = layer;
      return renderValue(value, this, locate && ((inside) => locate([...path, ...inside])));
    } catch (error) {
      const known = located(error, undefined);
      throw known instanceof TemplateError ? known.through(name) : known;
    } finally {
      active.pop();
    }
  }
}

class TracedVariables extends Variables {
  constructor(
    variables: Variables,
    private readonly onName: (name: string) => void,
    magic: LazyMapping | undefined,
  ) {
    super([], variables, magic);
  }

  override child(layers: readonly VariableLayer[]): Variables {
    return super.child(layers).traced(this.onName);
  }

  override get(name: string): Value | undefined {
    this.onName(name);
    return super.get(name);
  }

  override reach(path: readonly string[]): Value | undefined {
    this.onName(path[0] ?? '');
    return super.reach(path);
  }
}

/** The variable `vars`: every variable by its name, each rendered when it is needed. */
class VariablesByName extends LazyMapping {
  constructor(private readonly variables: Variables) {
    super();
  }

  override get(name: string): Value | undefined {
    return this.variables.get(name);
  }

  override keys(): Iterable<string> {
    return this.variables.names();
  }
}

function circle(names: readonly string[]): TemplateError {
  const [first = ''] = names;
  const message =
    names.length === 2
      ? `variable "${first}" refers to itself`
      : `variables refer to each other in a circle: ${names.join(' → ')}`;
  return new TemplateError(message, { named: names.length - 1 });
}

const RANKS: ReadonlyMap<VariableLevel, number> = new Map(LEVELS.map((level, rank) => [level, rank]));

function rank(layer: VariableLayer): number {
  return RANKS.get(layer.level) ?? 0;
}
