import type { Loop, Step } from '../../core/model/playbook/step.js';
import { isMapping } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Expression } from '../../language/syntax/expressions/nodes.js';
import { everyNode, placedSteps, type LintSubject } from './subject.js';

/** The variables that the run itself sets. Nothing else can set them (`docs/playbooks.md`). */
export const MAGIC_NAMES = [
  'inventory_hostname',
  'inventory_hostname_short',
  'inventory_dir',
  'inventory_file',
  'group_names',
  'groups',
  'hostvars',
  'omit',
  'play_hosts',
  'playbook_dir',
  'role_name',
  'role_names',
  'role_path',
  'ansible_check_mode',
  'ansible_config_file',
  'ansible_diff_mode',
  'ansible_forks',
  'ansible_inventory_sources',
  'ansible_limit',
  'ansible_play_batch',
  'ansible_play_hosts',
  'ansible_play_hosts_all',
  'ansible_play_name',
  'ansible_playbook_python',
  'ansible_play_role_names',
  'ansible_role_name',
  'ansible_role_names',
  'ansible_dependent_role_names',
  'ansible_parent_role_names',
  'ansible_parent_role_paths',
  'ansible_run_tags',
  'ansible_search_path',
  'ansible_skip_tags',
  'ansible_verbosity',
  'ansible_version',
  'evenkeel_environment',
  'evenkeel_run_id',
  'evenkeel_version',
] as const;

/** Every mapping of variables that was read from a file, each once. */
export function allLayers(subject: LintSubject): ReadonlySet<VariableLayer> {
  const { plays, inventories, extraVars } = subject;
  const found = new Set<VariableLayer>(extraVars);
  const add = (layers: Iterable<VariableLayer>): void => {
    for (const layer of layers) if (layer.literal !== true) found.add(layer);
  };
  for (const { play, layers: included } of plays) {
    add([...play.layers, ...included]);
    for (const layers of [...play.groupLayers.values(), ...play.controllerLayers.values()]) add(layers);
  }
  for (const { step } of placedSteps(subject)) if (step.type !== 'role') add(step.layers);
  for (const { groups, controllers } of inventories) {
    for (const { layers } of [...groups.values(), ...controllers.values()]) add(layers);
  }
  return found;
}

/** Every variable name in everything that was read; a play sees what an earlier one registered. */
export function definedNames(subject: LintSubject): ReadonlySet<string> {
  const names = new Set<string>(MAGIC_NAMES);
  for (const { values } of allLayers(subject)) for (const name of Object.keys(values)) names.add(name);
  for (const { play } of subject.plays) for (const { name } of play.prompts) names.add(name);
  for (const { step } of placedSteps(subject)) for (const name of setBy(step)) names.add(name);
  return names;
}

function setBy(step: Step): readonly string[] {
  if (step.type === 'role' || step.type === 'meta') return [];
  const literal = step.layers.filter((layer) => layer.literal === true).flatMap(({ values }) => Object.keys(values));
  const looped = step.loop === undefined ? [] : loopNames(step.loop);
  if (step.type === 'block') return [...literal, ...looped];
  const registered = step.register === undefined ? [] : [step.register];
  const facts =
    step.module === 'set_fact' || step.module === 'add_host' ? Object.keys(isMapping(step.args) ? step.args : {}) : [];
  return [...literal, ...looped, ...registered, ...facts];
}

function loopNames({ variable, indexVariable }: Loop): readonly string[] {
  return indexVariable === undefined ? [variable] : [variable, indexVariable];
}

const GUARDS: ReadonlySet<string> = new Set(['default', 'd', 'defined', 'undefined', 'first_found']);

/** The variables that expressions read, and those that may be undefined (`default`, `is defined`, `"x" in vars`). */
export function namesRead(expressions: readonly Expression[]) {
  const read = new Set<string>();
  const guarded = new Set<string>();
  for (const node of expressions.flatMap((expression) => [...everyNode(expression)])) {
    const name = variableName(node);
    if (name !== undefined) read.add(name);
    if (node.type !== 'SubExpression') continue;
    const [first, second] = node.params;
    if (
      node.name === 'in' &&
      first?.type === 'StringLiteral' &&
      second !== undefined &&
      variableName(second) === 'vars'
    )
      guarded.add(first.value);
    if (!GUARDS.has(node.name)) continue;
    for (const inner of node.params.flatMap((param) => [...everyNode(param)])) {
      const careful = variableName(inner);
      if (careful !== undefined) guarded.add(careful);
    }
  }
  return { read, guarded };
}

function variableName(node: Expression): string | undefined {
  if (node.type !== 'PathExpression' || node.data || node.own || node.depth > 0) return undefined;
  return node.parts[0];
}
