import { findController, type Controller } from '../../core/model/inventory/inventory.js';
import { LoadError, orElse, type Diagnostics } from '../../core/model/source/diagnostic.js';
import { getOrAdd, groupBy, lazily } from '../../core/model/values/groups.js';
import { isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { adjacentLayers } from '../../engine/controllers/play_variables.js';
import { TemplateError } from '../../language/runtime/errors.js';
import type { WrittenObject } from '../../record/journal/read/read_run.js';
import { count, nameSome } from '../../reporting/text/words.js';
import type { Restorer } from '../../undo/undo.js';
import { identityInFiles, variablesInFiles } from '../load/addresses_in_files.js';
import type { LoadedTarget } from '../load/target.js';
import { readFingerprint } from '../request/invocation.js';
import type { AdjacentVariables } from './adjacent_variables.js';

const MOST_NAMES = 10;

/** By which hosts of the inventory a rollback restores what the hosts of its run wrote. */
export interface RollbackHosts {
  /** Why a controller is skipped: its name may now belong to another one. An address that is set during the run is checked then. */
  readonly skipReason: (restorer: Restorer) => string | undefined;
  /**
   * If the host is gone or elsewhere, the only one at its address with its headers, as after a renaming: neither a host that the inventory of
   * the run had, because addresses can move, too, nor one that wrote by itself.
   */
  readonly relocate: (restorer: Restorer) => Restorer;
}

/** What a run left to find the controllers that it wrote to. */
export interface WrittenControllers {
  readonly fingerprint: Mapping | undefined;
  readonly writes: readonly WrittenObject[];
  /** With the key of the journal. */
  readonly digest: (value: Value) => string;
}

interface HostNow {
  readonly address: string | undefined;
  /** A keyed digest of its address, its route and its headers. */
  readonly controller: () => string;
}

export function rollbackHosts(
  { fingerprint, writes, digest }: WrittenControllers,
  target: LoadedTarget,
  adjacent: AdjacentVariables,
  cwd: string,
): RollbackHosts {
  const { inventory } = target;
  const known = fingerprint && readFingerprint(fingerprint)?.controllers;
  const before = new Set(known);
  const writers = new Set(writes.map(({ intent }) => intent.target));
  const hosts = new Map<string, HostNow>();
  const hostNow = (host: Controller): HostNow =>
    getOrAdd(hosts, host.name, () => {
      const layers = [...host.layers, ...adjacentLayers(host, adjacent)];
      const address = identityInFiles(host, layers, cwd, target);
      const controller = lazily(() => digest([address ?? null, headersBefore(host, layers, cwd, target)]));
      return { address, controller };
    });
  const byAddress = lazily(() => groupBy(inventory.controllers.values(), (host) => hostNow(host).address));
  const skipReason: RollbackHosts['skipReason'] = ({ target: name, connection, reached: { url: then } }) => {
    const controller = findController(inventory, name);
    const isLost = fingerprint === undefined || before.has(name) || connection === undefined;
    if (controller === undefined) return isLost ? `is no longer in the inventory: ${WAY_OUT}` : undefined;
    // The recorded connection identifies the controller.
    if (connection !== undefined) return undefined;
    const { address: now } = hostNow(controller);
    return now === undefined || then === now ? undefined : `was at ${then} and is now at ${now}: ${WAY_OUT}`;
  };
  const relocate = (restorer: Restorer): Restorer => {
    const { reached, connection } = restorer;
    if (known === undefined || connection !== undefined || skipReason(restorer) === undefined) return restorer;
    const [host, ...others] = byAddress().get(reached.url) ?? [];
    if (host === undefined || others.length > 0 || before.has(host.name) || writers.has(host.name)) return restorer;
    return hostNow(host).controller() === reached.controller ? { ...restorer, target: host.name } : restorer;
  };
  return { skipReason, relocate };
}

/** The headers of a host as a request has them; otherwise what no request has. */
function headersBefore(host: Controller, layers: readonly VariableLayer[], cwd: string, target: LoadedTarget): Value {
  const variables = variablesInFiles(host, layers, cwd, target);
  const headers = orElse(null, () => variables.get('controller_headers') ?? {}, TemplateError, LoadError);
  if (!isMapping(headers)) return null;
  const asText = (value: Value): Value => (typeof value === 'object' ? value : String(value));
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asText(value)]));
}

const WAY_OUT = 'to restore it, pass -i with an inventory that has its name and its address';

export function warnRenamed(
  writes: readonly WrittenObject[],
  hostNow: (restorer: Restorer) => string,
  isWithin: (name: string) => boolean,
  diagnostics: Diagnostics,
): void {
  const found = writes.map(({ intent }) => [intent.target, hostNow(intent)] as const);
  // Of one host, not all may be restored elsewhere.
  const renamed = new Set(found.flatMap(([name, now]) => (name !== now && isWithin(now) ? [`${name} → ${now}`] : [])));
  if (renamed.size === 0) return;
  const what = renamed.size === 1 ? 'has another name' : 'have other names';
  diagnostics.warn(
    `${count(renamed.size, 'controller')} of that run ${what} at the same address now: ${nameSome([...renamed], MOST_NAMES)}`,
  );
}
