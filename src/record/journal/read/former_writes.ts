import { joined, text } from '../../../core/model/values/stored.js';
import { entry, isMapping, type Mapping, type Value } from '../../../core/model/values/value.js';

/**
 * Writes in journals before version 3: they name the host, and an address only if the inventory did not give it. Such a run can be shown and
 * rolled back, but not resumed, because nothing says what two hosts wrote to one controller.
 */
export class FormerWrites {
  /** Where the inventory led each host. */
  readonly #addresses = new Map<Value, Value>();

  /** A line as this version writes it, as far as it is readable. */
  upgraded(line: Mapping): Mapping {
    const { type, controller = null, url: found = null, ofPlay, target = null, reached, connection } = line;
    if (type === 'controller-reached' && ofPlay !== true) this.#addresses.set(controller, found);
    if (type !== 'write-intended' || reached !== undefined) return line;
    const { url, id } = isMapping(connection) ? connection : {};
    return { ...line, reached: this.#reached(target, url, id) };
  }

  /** Computed on demand, once the whole journal has been read: a write can precede the line with the address. */
  #reached(target: Value, own: Value | undefined, id: Value | undefined): Mapping {
    const address = (): string | undefined => [own, this.#addresses.get(target)].find(text);
    return {
      get url() {
        return address() ?? 'an unknown address';
      },
      get controller() {
        return formerKey(address() ?? target);
      },
      // The user is unknown, so each host counts as a user of its own.
      get account() {
        return text(id) ? id : JSON.stringify([address() ?? null, target]);
      },
    };
  }
}

/** Headers can choose one of several controllers. */
function formerKey(address: Value, headers: Value = null): string {
  return JSON.stringify([address, headers]);
}

/** A write with the sealed connection of such a journal as this version keeps it. */
export function upgradedConnection(write: Mapping): Mapping {
  const { connection, reached } = write;
  if (!isMapping(connection) || !isMapping(reached)) return write;
  const { url, variables } = connection;
  if (!text(url) || !isMapping(variables)) return write;
  const controller = formerKey(url, entry(variables, 'controller_headers'));
  return joined(write, { connection: variables, reached: { ...reached, url, controller } });
}
