import { hash } from 'node:crypto';
import * as Type from 'typebox';
import { generatedPlay, generatedTask } from '../../core/model/playbook/playbook.js';
import type { Task } from '../../core/model/playbook/step.js';
import { withoutNames } from '../../core/model/run/reference.js';
import { pathText } from '../../core/model/source/diagnostic.js';
import { appendTo, getOrAdd } from '../../core/model/values/groups.js';
import { jsonText, type Mapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { KEPT_CONNECTION } from '../../engine/controllers/session_pool.js';
import { catalogueWith } from '../../module/catalogue.js';
import { scopeOfObject } from '../../module/comparison/scope.js';
import { defineResource, type Module, type Reader } from '../../module/contract.js';
import { TYPED } from '../../project/document/command_line.js';
import { nameSome } from '../../reporting/text/words.js';
import type { UndoEffect } from '../../undo/object_effect.js';
import { findToUndo, planUndo, type FoundUndo } from '../../undo/plan_undo.js';
import { NewUuids } from '../../undo/renewal.js';
import type { Restorer, Undo } from '../../undo/undo.js';
import type { AdjacentVariables } from './adjacent_variables.js';

/** What to restore, in order, by the host that does it: one for each controller, whichever hosts wrote there. */
type Undos = ReadonlyMap<string, readonly Undo[]>;

export interface RollbackPlaybookInput {
  readonly undos: Undos;
  /** The play's name. */
  readonly title: string;
  readonly cwd: string;
  readonly allowLockout: boolean;
  /** Variables of the controllers besides those of the inventory. */
  readonly adjacent?: AdjacentVariables | undefined;
}

const NOTHING_ADJACENT: AdjacentVariables = { groupLayers: new Map(), controllerLayers: new Map() };
const VARIABLE = 'evenkeel_rollback';
const MOST_FIELDS = 4;
const DIGEST_LENGTH = 16;

/** One play with one task, which restores the objects of each controller, and the one module that it calls. */
export function rollbackPlaybook({
  undos,
  title,
  cwd,
  allowLockout,
  adjacent = NOTHING_ADJACENT,
}: RollbackPlaybookInput) {
  const named = new Map<string, Undo>();
  const layers = new Map(adjacent.controllerLayers);
  for (const [controller, own] of undos) {
    const items = own.map((undo) => {
      const id = undoId(controller, undo);
      named.set(id, undo);
      return undoItem(id, undo);
    });
    layers.set(controller, [...(layers.get(controller) ?? []), itemsLayer(items)]);
  }
  const module = undoModule(named, allowLockout);
  const variables = { groupLayers: adjacent.groupLayers, controllerLayers: layers };
  // A name may look like a pattern.
  const hosts = { ...written('all'), names: [...undos.keys()] };
  const all = [...undos.values()].flat();
  const isDelegated = [...undos].some(([name, own]) => own.some(({ restorer }) => restorer.target !== name));
  const tasks = [undoTask({ isMasked: all.some(({ masked }) => masked), isDelegated })];
  const play = generatedPlay({ name: title, source: TYPED, hosts, directory: cwd, tasks, ...variables });
  return { playbook: { file: title, directory: cwd, plays: [play] }, catalogue: catalogueWith(module) };
}

/** Identifies a restored object when a rollback is resumed, independent of its place in the list. */
function undoId(controller: string, undo: Undo): string {
  const { reached, tenant } = undo.restorer;
  const identity = { ...undo, restorer: [reached.account, tenant ?? null], renewal: undefined, renewals: undefined };
  return `${controller} ${undo.path} ${hash('sha256', jsonText(identity), 'base64url').slice(0, DIGEST_LENGTH)}`;
}

function undoItem(id: string, { object, isDeleted, fields, restorer, masked }: Undo): Mapping {
  const { target: host, reached, connection, tenant } = restorer;
  const what = isDeleted === true ? 'the whole object' : nameSome(fields.map(pathText), MOST_FIELDS);
  const label = what === '' ? object : `${object}: ${what}`;
  const variables = { ...connection, ...(tenant !== undefined && { controller_tenant: tenant }) };
  return { undo: id, label, host, account: reached.account, connection: variables, masked };
}

/** Literal data, which overrides the inventory and `-e`. */
function itemsLayer(items: readonly Mapping[]): VariableLayer {
  return { level: 'magic', origin: 'rollback', literal: true, values: { [VARIABLE]: items } };
}

const written = (value: string) => ({ value, source: TYPED });

/**
 * @param isMasked whether something in it was written under `no_log`
 * @param isDelegated whether the hosts that restore objects do not all have the connections for them
 */
function undoTask({ isMasked, isDelegated }: Readonly<Record<'isMasked' | 'isDelegated', boolean>>): Task {
  return generatedTask({
    name: written('Restore'),
    module: UNDO_MODULE,
    args: { undo: '{{ item.undo }}' },
    source: TYPED,
    layers: [{ level: 'task vars', origin: 'rollback', values: { [KEPT_CONNECTION]: '{{ item.connection }}' } }],
    noLog: isMasked ? written('{{ item.masked }}') : undefined,
    delegateTo: isDelegated ? written('{{ item.host }}') : undefined,
    loop: {
      lookup: undefined,
      over: written(`{{ ${VARIABLE} }}`),
      variable: 'item',
      indexVariable: undefined,
      label: written('{{ item.label }}'),
      pause: undefined,
      extended: false,
      allItems: true,
      breakWhen: undefined,
      // If one user cannot log in, what the others wrote is restored.
      connection: written('{{ item.host }} {{ item.account }}'),
      parallel: undefined,
    },
  });
}

/** What a rollback does on its controllers. */
export interface GroupedUndos {
  /** What cannot be undone. */
  readonly final: readonly Extract<UndoEffect, { type: 'final' }>[];
  /** Skipped controllers with the reason, worded to follow the name. */
  readonly skipped: ReadonlyMap<string, string>;
  readonly undos: Undos;
}

/**
 * Groups the effects of a run by what the rollback does with them. Several hosts can belong to one controller, or have tasks that act on it.
 * One of them restores all of its objects, one after the other: two at once would restore an object before the one that it refers to, and
 * take the other's writes for changes by someone else.
 *
 * @param skipReason why a controller must not be written to; undefined: it may be
 */
export function groupUndos(
  effects: readonly UndoEffect[],
  skipReason: (restorer: Restorer) => string | undefined,
): GroupedUndos {
  const final: Extract<UndoEffect, { type: 'final' }>[] = [];
  const skipped = new Map<string, string>();
  const hosts = new Map<string, string>();
  const undos = new Map<string, Undo[]>();
  for (const effect of effects) {
    if (effect.type === 'final') {
      final.push(effect);
      continue;
    }
    const { controller, undo } = effect;
    const reason = skipReason(undo.restorer);
    if (reason !== undefined) skipped.set(controller, reason);
    else
      appendTo(
        undos,
        getOrAdd(hosts, undo.restorer.reached.controller, () => controller),
        undo,
      );
  }
  return { final, skipped, undos };
}

export function isEmpty({ final, skipped, undos }: GroupedUndos): boolean {
  return final.length + skipped.size + undos.size === 0;
}

/** The name of the module in the generated playbook. No other playbook can use it. */
const UNDO_MODULE = 'rollback';

const args = Type.Object({ undo: Type.String() });

type Args = Type.Static<typeof args>;

/**
 * Restores one object to its state before a run. Like any resource, the engine reads, compares, writes and verifies it.
 * The data does not pass through arguments, because before-images may contain text that looks like a template.
 * @param undos by the text that a task uses for them
 */
export function undoModule(undos: ReadonlyMap<string, Undo>, allowLockout: boolean): Module {
  const parseUndo = ({ undo }: Args): Undo => {
    const found = undos.get(undo);
    if (found === undefined) throw new Error(`there is nothing to restore under "${undo}"`);
    return found;
  };
  const newUuids = new NewUuids();
  // The renamed objects that get their name back: in a check, they still have the other one.
  const leaving = new Set<string>();
  const onController = ({ undo }: Args, uuid: Value | undefined): string =>
    jsonText([undo.split(' ', 1), uuid ?? null]);
  return defineResource({
    name: UNDO_MODULE,
    summary: 'restores what a run changed',
    args,
    examples: [],
    object: (given: Args) => parseUndo(given).object,
    read: async (given: Args, reader: Reader): Promise<FoundUndo> => {
      const undo = await newUuids.current(parseUndo(given), reader);
      const seen = await findToUndo(undo, reader, (uuid) => leaving.has(onController(given, uuid)));
      if (seen.observed?.status === 'found') newUuids.note(seen.undo, seen.observed.object);
      return seen;
    },
    plan: (given: Args, { undo, observed }: FoundUndo) => {
      const plan = planUndo(undo, observed, allowLockout);
      const { change } = plan;
      const isRenamed = change.kind === 'update' && change.before?.['name'] !== change.after['name'];
      if (isRenamed && plan.refusal === undefined) leaving.add(onController(given, undo.member?.uuid));
      return plan;
    },
    apply: async (given: Args, { change }, { undo: { path, member } }: FoundUndo, writer) => {
      leaving.delete(onController(given, member?.uuid));
      if (change.kind === 'create' && member !== undefined) {
        const scope = scopeOfObject(member.collection, change.after);
        await writer.create(member.collection, member.name, withoutNames(change.after), scope);
      }
      if (change.kind === 'update') await writer.replace(path, change.after);
    },
  });
}
