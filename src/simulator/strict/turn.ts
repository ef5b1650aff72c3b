import type { Dialect } from '../../model/dialect.js';
import type { Behaviour } from '../behaviour/behaviour.js';
import type { SimulatedRequest } from '../protocol/exchange.js';
import type { CloudStates, ObjectStore, TenantView } from './object_store.js';

/** A request that is signed in, and what it acts on. */
export interface Turn {
  readonly request: SimulatedRequest;
  readonly view: TenantView;
  readonly behaviour: Behaviour;
  readonly dialect: Dialect;
  readonly store: ObjectStore;
  readonly clouds: CloudStates;
}
