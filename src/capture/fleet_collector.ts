import type { TaskFinished } from '../core/model/run/event.js';
import { appendTo } from '../core/model/values/groups.js';
import type { Masked } from '../core/secrets/mask_text.js';
import type { PlacedController } from './playbook/fleet_object.js';

/** A controller, one of its tenants, or a kind of its objects, that could not be read. */
export interface Unread {
  readonly controller: string;
  /** Absent: all that were asked for. */
  readonly tenant?: string | undefined;
  /** Absent: all that were asked for. */
  readonly kind?: string | undefined;
  readonly message: Masked<string>;
}

/** With the message as the controller wrote it. */
export type Reason = Omit<Unread, 'message'> & { readonly message: string };

export interface FleetController extends PlacedController {
  /** Text variables of the inventory, except secrets and connection variables. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Collects what was read, and why some objects could not be read. */
export class FleetCollector {
  readonly #read = new Map<string, FleetController[]>();
  readonly #unread = new Map<string, Unread[]>();

  constructor(private readonly mask: (text: string) => Masked<string>) {}

  add(controller: FleetController, unread: readonly Reason[]): void {
    if (controller.kinds.size > 0) appendTo(this.#read, controller.name, controller);
    for (const one of unread) appendTo(this.#unread, controller.name, { ...one, message: this.mask(one.message) });
  }

  /**
   * Each controller once for each tenant that was read.
   *
   * @param selected in the order of the inventory
   * @param tenants in the order in which each controller is read
   */
  result(selected: readonly string[], failures: ReadonlyMap<string, TaskFinished>, tenants: readonly string[] = []) {
    const unread = selected.flatMap((controller): readonly Unread[] => {
      const parts = this.#unread.get(controller) ?? [];
      const failure = failures.get(controller);
      if (failure === undefined && (parts.length > 0 || this.#read.has(controller))) return parts;
      const { status = 'the command ended before it was read', message = status, hint } = failure ?? {};
      const text = hint === undefined ? message : `${message} (${hint})`;
      // Tenants that were read before stay.
      const asked = new Set([...(this.#read.get(controller) ?? []), ...parts].map((part) => part.tenant));
      const tenant = asked.size > 0 ? tenants.find((name) => !asked.has(name)) : undefined;
      return [...parts, { controller, tenant, message: this.mask(text) }];
    });
    return { controllers: selected.flatMap((name) => this.#read.get(name) ?? []), unread };
  }
}
