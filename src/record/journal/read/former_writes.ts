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
    const { url = this.#addresses.get(target), id } = isMapping(connection) ? connection : {};
    if (!text(url)) return line;
    // The user is not known: no host writes the account of another.
    const account = text(id) ? id : JSON.stringify([url, target]);
    return { ...line, reached: { url, controller: JSON.stringify([url, null]), account } };
  }
}

/** A write with the sealed connection of such a journal as this version keeps it. */
export function upgradedConnection(write: Mapping): Mapping {
  const { connection, reached } = write;
  if (!isMapping(connection) || !isMapping(reached)) return write;
  const { url, variables } = connection;
  if (!text(url) || !isMapping(variables)) return write;
  // Headers can choose one of several controllers.
  const controller = JSON.stringify([url, entry(variables, 'controller_headers') ?? null]);
  return joined(write, { connection: variables, reached: { ...reached, url, controller } });
}
