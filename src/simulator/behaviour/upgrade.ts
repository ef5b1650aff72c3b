import { refusal } from '../protocol/exchange.js';
import { honest, type Delivery } from './delivery.js';
import type { Fault } from './fault.js';

type Phase = 'none' | 'disallowed' | 'unavailable' | 'refused';

/** An upgrade of the controller: writes are disallowed, then nothing is answered, then nothing listens, then all is as before. */
export class UpgradeWindow {
  #phase: Phase = 'none';

  /** @param refuseConnections for so many milliseconds */
  start(fault: Extract<Fault, { type: 'upgrade' }>, refuseConnections: (milliseconds: number) => void): void {
    if (this.#phase !== 'none') return;
    const { disallowed = 0, unavailable = 0, refused = 0 } = fault;
    this.#phase = 'disallowed';
    this.#later(disallowed, 'unavailable', () => {
      this.#later(unavailable, 'refused', () => {
        refuseConnections(refused);
        this.#later(refused, 'none');
      });
    });
  }

  /** How the upgrade affects a request; undefined if it can be answered. */
  deliver(method: string): Delivery | undefined {
    switch (this.#phase) {
      case 'none':
        return undefined;
      case 'disallowed':
        return method === 'GET' ? undefined : honest(refusal(403, 'Configuration is disallowed during upgrade'));
      case 'unavailable':
        return honest(refusal(503, 'Controller is not ready: upgrade in progress'));
      case 'refused':
        return { type: 'close' };
    }
  }

  #later(milliseconds: number, phase: Phase, then?: () => void): void {
    setTimeout(() => {
      this.#phase = phase;
      then?.();
    }, milliseconds).unref();
  }
}
