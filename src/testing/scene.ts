import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { builtinModules } from '../../modules/index.js';
import type { Event, RunFinished, TaskFinished } from '../core/model/run/event.js';
import { jsonText, isMapping, type Mapping } from '../core/model/values/value.js';
import { runPlaybook } from '../index.js';
import { validateArguments } from '../module/arguments/validation.js';
import type { Module, Reader, ResourceModule } from '../module/contract.js';
import type { When } from '../simulator/behaviour/fault.js';
import type { SimulatedController } from '../simulator/controller/controller.js';
import type { JsonObject } from '../simulator/protocol/exchange.js';
import { startSimulator, type RunningSimulator, type SimulatedDialect } from './start_simulator.js';

/** One way to use a resource module. */
export interface ResourceExample {
  /** Default: path and name of the object. */
  readonly title?: string;
  /** Arguments that create the object, or change it if it exists once. */
  readonly args: Mapping;
  /** Arguments for the same object that change at least one of its fields. */
  readonly otherArgs: Mapping;
  /** Where the object is: path and name in a collection, or the path of an object that exists once. */
  readonly object: { readonly path: string; readonly name?: string };
  /** Texts in `args` that no output may show, besides arguments declared `secret: true`. */
  readonly secrets?: readonly string[];
  /** What the simulated controller is; default: `generic`. */
  readonly dialect?: SimulatedDialect;
  /** Fields that someone else sets and the arguments do not mention. Default: one that no controller knows, which `avi` refuses. */
  readonly byHand?: JsonObject;
}

/** One way to use a resource module that deletes an object of a collection. */
export interface AbsenceExample extends Pick<ResourceExample, 'title' | 'dialect'> {
  readonly args: Mapping;
  readonly object: { readonly path: string; readonly name: string };
  /** The fields that the object has before. */
  readonly deletes: JsonObject;
  /** Texts in `args` and `deletes` that no output may show, besides arguments declared `secret: true`. */
  readonly secrets?: readonly string[];
}

export type Example = ResourceExample | AbsenceExample;

interface SceneRunOptions {
  readonly check?: boolean;
  /** Keywords of the play, such as a gate. */
  readonly play?: Mapping;
}

interface SceneRun {
  /** As every output gets them, requests and their bodies included. */
  readonly events: readonly Event[];
  readonly finished: RunFinished;
  /** What became of the task: `ok`, `changed`, or `failed` with its message. */
  readonly outcome: string;
  readonly result: TaskFinished | undefined;
}

/** A simulated controller and a module whose tasks run against it. */
export class Scene<Given extends Example = Example> {
  private constructor(
    readonly module: ResourceModule,
    readonly example: Given,
    private readonly simulator: RunningSimulator,
    private readonly modules: readonly Module[],
  ) {}

  static async open<Given extends Example>(module: ResourceModule, example: Given): Promise<Scene<Given>> {
    const modules = (await isBuiltIn(module)) ? [] : [module];
    const { dialect = 'generic' } = example;
    return new Scene(module, example, await startSimulator({ dialect }), modules);
  }

  close(): Promise<void> {
    return this.simulator.close();
  }

  get controller(): SimulatedController {
    return this.simulator.controller('lb1');
  }

  /** The methods of the requests to the API that were no GET, since they were last cleared. */
  get writes(): readonly string[] {
    const { requests } = this.controller;
    return requests.flatMap(({ method, path: at }) => (at.startsWith('/api/') && method !== 'GET' ? [method] : []));
  }

  /** Which requests a fault hits: those of a method to the object or its collection. */
  requests(method: string): When {
    return { method, path: `${this.example.object.path.replace(/\/$/, '')}*`, nth: 1 };
  }

  /** The other objects of the collection. */
  get others(): readonly JsonObject[] {
    const { path: where, name } = this.example.object;
    return this.controller.objects(where).filter((object) => object['name'] !== name);
  }

  get object(): JsonObject | undefined {
    const { path: where, name } = this.example.object;
    if (name === undefined) return this.controller.object(where);
    return this.controller.objects(where).find((object) => object['name'] === name);
  }

  /** The object without what the controller sets at each write. */
  get fields(): JsonObject {
    return Object.fromEntries(Object.entries(this.object ?? {}).filter(([name]) => name !== '_last_modified'));
  }

  /** Adds fields to the object by hand, past Evenkeel. */
  addByHand(fields: JsonObject): void {
    const { path: where, name } = this.example.object;
    const object = { ...this.object, ...fields };
    if (name === undefined) this.controller.setObject(where, object);
    else this.controller.setObjects(where, [...this.others, object]);
  }

  /** Creates the object of an example with `deletes` by hand, as another one each time. */
  create(): void {
    const { example, controller } = this;
    if (!('deletes' in example)) return;
    const { path: where, name } = example.object;
    const uuid = randomUUID();
    const object = { ...example.deletes, name, uuid, url: `${where}${uuid}` };
    controller.setObjects(where, [...this.others, object]);
  }

  /** Arguments as the module gets them: checked, with defaults, and frozen. */
  planArguments(args: Mapping): Parameters<ResourceModule['plan']>[0] {
    const checked = validateArguments(this.module, args, 'rendered');
    if ('problems' in checked) throw new Error(checked.problems.map(({ message }) => message).join('\n'));
    return frozen({ ...checked.args });
  }

  /** What the module reads now, frozen. */
  async observe(args: Mapping): Promise<unknown> {
    const { controller } = this;
    const reader: Reader = {
      find: (collection, name) =>
        Promise.resolve(copyObject(controller.objects(collection).find((object) => object['name'] === name))),
      single: (where) => Promise.resolve({ status: 'found', object: copyObject(controller.object(where)) ?? {} }),
    };
    return frozen(await this.module.read(this.planArguments(args), reader));
  }

  /** Runs one task of the module. */
  async run(args: Mapping, { check = false, play = {} }: SceneRunOptions = {}): Promise<SceneRun> {
    const { directory, inventoryFile } = this.simulator;
    const playbook = path.join(directory, 'playbook.yml');
    await writeFile(playbook, jsonText([{ hosts: 'all', ...play, tasks: [{ [this.module.name]: args }] }]));
    const events: Event[] = [];
    const finished = await runPlaybook({
      playbooks: [playbook],
      cwd: directory,
      inventory: [inventoryFile],
      modules: this.modules,
      check,
      verbosity: 4,
      env: { EVENKEEL_STATE_DIR: path.join(directory, 'state'), EVENKEEL_LOCK_DIR: path.join(directory, 'locks') },
      onEvent: (event) => events.push(event),
    });
    const result = events.find((event) => event.type === 'task-finished');
    return { events, finished, result, outcome: describeResult(result) };
  }
}

/** By content: the loader of a test framework may make a second instance of a module. */
async function isBuiltIn(module: Module): Promise<boolean> {
  if (!Object.hasOwn(builtinModules, module.name)) return false;
  const builtIn = await builtinModules[module.name]?.();
  return jsonText(builtIn?.default) === jsonText(module);
}

function describeResult(result: TaskFinished | undefined): string {
  if (result === undefined) return 'not run';
  return result.message === undefined ? result.status : `${result.status}: ${result.message}`;
}

function copyObject(object: unknown): Mapping | undefined {
  const copy: unknown = structuredClone(object);
  return isMapping(copy) ? copy : undefined;
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
