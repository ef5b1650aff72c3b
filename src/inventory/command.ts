import { type CommandContext, refuse, show } from '../cli/context.js';
import { loadingPorts } from '../cli/prompt.js';
import { EXIT } from '../core/model/exit_code.js';
import { findController, type Inventory } from '../core/model/inventory/inventory.js';
import { selectControllers } from '../core/model/inventory/pattern.js';
import { Diagnostics, LoadError } from '../core/model/source/diagnostic.js';
import { didYouMean } from '../core/model/source/suggestion.js';
import type { Value } from '../core/model/values/value.js';
import type { VariableLayer } from '../core/model/values/variables.js';
import { yamlText } from '../language/python/yaml/emitter.js';
import { reportWrongTerms } from '../launch/load/limits.js';
import { loadTarget } from '../launch/load/target.js';
import type { RequestedTarget } from '../launch/request/run_request.js';
import {
  controllerVariables,
  inventoryForJson,
  inventoryForYaml,
  inventoryGraph,
  ansibleJson,
  restrict,
} from './ansible_inventory.js';

/** `evenkeel inventory`: exactly one of `list`, `host` and `graph`. */
export interface InventoryCommandOptions extends RequestedTarget {
  readonly list?: boolean;
  readonly host?: string;
  readonly graph?: boolean;
  /** Where the graph starts; default `all`. */
  readonly group?: string;
  /** With `graph`: variables too. */
  readonly vars?: boolean;
  readonly yaml?: boolean;
}

/** Prints the inventory as it was understood, as ansible-inventory does, with templates as they were written. */
export async function inventoryCommand(options: InventoryCommandOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const text = checkOptions(options, diagnostics) ? await output(options, context, diagnostics) : undefined;
  if (text === undefined) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  if (options.graph === true && options.vars !== true) context.stdout.write(text);
  else context.stdout.reveal(text);
  return EXIT.ok;
}

function checkOptions(options: InventoryCommandOptions, diagnostics: Diagnostics): boolean {
  const chosen = [options.list, options.host !== undefined, options.graph].filter((one) => one === true);
  if (chosen.length !== 1) {
    const problem = chosen.length === 0 ? 'say what to show' : 'show one thing at a time';
    diagnostics.error(`${problem}: --list, --host NAME or --graph`);
  }
  if (options.group !== undefined && options.graph !== true)
    diagnostics.error(`"${options.group}" is a group to start --graph at, but --graph is missing`);
  return !diagnostics.failed();
}

/** Undefined after an error in the inventory or the options. */
async function output(
  options: InventoryCommandOptions,
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<string | undefined> {
  const { inventory, limit, extraVars } = await loadTarget(options, loadingPorts(context), diagnostics);
  diagnostics.requireExecution();
  // Without --limit, so that a controller outside of the limit is not called unknown.
  if (options.host !== undefined && !diagnostics.failed())
    reportWrongTerms(inventory, '--host', [{ pattern: options.host, source: undefined }], diagnostics);
  if (diagnostics.failed()) return undefined;
  return render(limit === undefined ? inventory : restrict(inventory, limit), extraVars, options, diagnostics);
}

function render(
  inventory: Inventory,
  extraVars: readonly VariableLayer[],
  options: InventoryCommandOptions,
  diagnostics: Diagnostics,
): string | undefined {
  if (options.host !== undefined) {
    const variables = hostVariables(inventory, options.host, extraVars, diagnostics);
    return variables === undefined ? undefined : document(variables, options);
  }
  if (options.graph === true) return graph(inventory, extraVars, options, diagnostics);
  return document(
    options.yaml === true ? inventoryForYaml(inventory, extraVars) : inventoryForJson(inventory, extraVars),
    options,
  );
}

function document(value: Value, { yaml }: InventoryCommandOptions): string {
  return yaml === true ? yamlText(value) : `${ansibleJson(value)}\n`;
}

/** `--host` takes any pattern that names one controller. */
function hostVariables(
  inventory: Inventory,
  pattern: string,
  extraVars: readonly VariableLayer[],
  diagnostics: Diagnostics,
): Value | undefined {
  const { names } = selectControllers(inventory, pattern);
  const [name, another] = names;
  const controller = name === undefined || another !== undefined ? undefined : findController(inventory, name);
  if (controller !== undefined) return controllerVariables(controller, extraVars);
  const found = name === undefined ? 'no controller of the limit' : `${names.length} controllers`;
  diagnostics.error(`--host names one controller, but "${pattern}" matches ${found}`);
  return undefined;
}

function graph(
  inventory: Inventory,
  extraVars: readonly VariableLayer[],
  { group = 'all', vars = false }: InventoryCommandOptions,
  diagnostics: Diagnostics,
): string | undefined {
  const tree = orReport(() => inventoryGraph(inventory, { group, vars, extraVars }), diagnostics);
  if (diagnostics.failed()) return undefined;
  const hint = didYouMean(group, [...inventory.groups.keys()]) ?? 'without a name, --graph shows all groups';
  if (tree === undefined) diagnostics.error(`there is no group "${group}"`, undefined, hint);
  return tree === undefined ? undefined : `${tree}\n`;
}

/** The graph shows what encrypted values say. */
function orReport<T>(work: () => T, diagnostics: Diagnostics): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    diagnostics.error(error.message, error.source, error.hint);
    return undefined;
  }
}
