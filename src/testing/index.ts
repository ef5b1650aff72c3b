/**
 * For tests of modules and playbooks: `import { describeResource, startSimulator } from 'evenkeel/testing'`.
 *
 * @packageDocumentation
 */
export { describeResource, type TestFunctions } from './describe_resource.js';
export type { AbsenceExample, ResourceExample } from './scene.js';
export {
  startSimulator,
  type RunningSimulator,
  type SimulatedDialect,
  type StartSimulatorOptions,
} from './start_simulator.js';
export type { SimulatedController } from '../simulator/controller/controller.js';
export type { Behaviour } from '../simulator/behaviour/behaviour.js';
export type { Fault } from '../simulator/behaviour/fault.js';
export type { JsonObject } from '../simulator/protocol/exchange.js';
export type { LoggedRequest } from '../simulator/controller/controller.js';
