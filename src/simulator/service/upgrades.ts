import { compareVersions } from '../../core/model/version.js';
import type { Behaviour } from '../behaviour/behaviour.js';
import {
  isJsonObject,
  type JsonObject,
  tryReadJson,
  errorAnswer,
  requestRejected,
  type SimulatedAnswer,
  success,
  textOrEmpty,
} from '../protocol/exchange.js';
import type { SimulatedState } from '../state/controller_state.js';
import type { StoreTurn } from './object_store.js';
import { resolveReferences } from './references.js';
import { packageVersion } from './uploads.js';

const PATH = '/api/upgradestatusinfo';
/** Milliseconds. */
const PHASE = 500;
const TASKS = 20;

interface RunningUpgrade {
  readonly version: string;
  readonly start: number;
  readonly end: number;
  readonly fails: boolean;
}

/** The version of the controller's software, and the upgrade that changes it. */
export class Upgrades {
  #running: RunningUpgrade | undefined;

  /** @param initial the version of a controller that was never upgraded */
  constructor(
    private readonly state: SimulatedState,
    private readonly initial: string,
  ) {}

  /** `22.1.3` */
  get version(): string {
    this.#finish();
    const upgraded = this.state.hasSingleton(PATH) ? textOrEmpty(this.#kept()['version']).replace(/-.*/, '') : '';
    return compareVersions(upgraded === '' ? '0.0.0' : upgraded, this.initial) > 0 ? upgraded : this.initial;
  }

  /** POST of `/api/upgrade`: the image by reference or uuid. */
  start(turn: StoreTurn): SimulatedAnswer {
    this.#finish();
    if (this.#running !== undefined) return errorAnswer(400, 'Upgrade is already in progress.');
    const version = packageVersion(textOrEmpty(findImage(turn)['name']));
    if (version === undefined) return errorAnswer(400, 'The image has no version.');
    if (compareVersions(version.replace(/-.*/, ''), this.version) <= 0)
      return errorAnswer(400, `The controller cannot be upgraded from ${this.version} to ${version}.`);
    const restarts = phases(turn.behaviour);
    const { disallowed, unavailable, refused } = restarts;
    const start = Date.now();
    const fails = turn.behaviour.upgrade?.fails ?? false;
    this.#running = { version, start, fails, end: start + disallowed + unavailable + refused };
    return { ...success({ status: 'Upgrade started' }), restarts };
  }

  /** GET of `/api/upgradestatusinfo`. */
  status(): SimulatedAnswer {
    this.#finish();
    const { version, state, reason } = this.#kept();
    const running = this.#running;
    const entry = {
      uuid: 'cluster-0-1',
      name: 'cluster-0-1',
      node_type: 'NODE_CONTROLLER_CLUSTER',
      upgrade_ops: 'UPGRADE',
      version: version ?? this.initial,
      state: {
        state: running === undefined ? (state ?? 'UPGRADE_FSM_COMPLETED') : 'UPGRADE_FSM_IN_PROGRESS',
        reason: running === undefined ? (reason ?? '') : '',
      },
      total_tasks: TASKS,
      tasks_completed: running === undefined ? TASKS : completedTasks(running),
    };
    return success({ count: 1, results: [entry] });
  }

  #kept(): JsonObject {
    return this.state.hasSingleton(PATH) ? this.state.singleton(PATH).current : {};
  }

  #finish(): void {
    const running = this.#running;
    if (running === undefined || Date.now() < running.end) return;
    this.#running = undefined;
    const { version, fails } = running;
    const ended = fails
      ? { state: 'UPGRADE_FSM_ERROR', reason: `The upgrade to ${version} failed` }
      : { state: 'UPGRADE_FSM_COMPLETED', reason: '', version };
    this.state.setSingleton(PATH, { ...this.#kept(), ...ended });
  }
}

/** An upgrade that fails ends before the controller restarts. */
function phases({ upgrade = {} }: Behaviour): NonNullable<SimulatedAnswer['restarts']> {
  const { disallowed = PHASE, unavailable = PHASE, refused = PHASE, fails = false } = upgrade;
  return fails ? { disallowed, unavailable: 0, refused: 0 } : { disallowed, unavailable, refused };
}

function completedTasks({ start, end }: RunningUpgrade): number {
  return Math.min(TASKS - 1, Math.floor((TASKS * (Date.now() - start)) / Math.max(1, end - start)));
}

function findImage({ request, store, view }: StoreTurn): JsonObject {
  const body = tryReadJson(request.body);
  const { image_ref: reference, image_uuid: uuid } = isJsonObject(body) ? body : {};
  const given = textOrEmpty(reference) || textOrEmpty(uuid);
  if (given === '') throw requestRejected(400, 'image_ref or image_uuid is required.');
  const path = given.includes('/') ? given : `/api/image/${given}`;
  const resolved = resolveReferences({ image_ref: path }, undefined, { store, view, cloud: undefined });
  const image = store.at(textOrEmpty(resolved['image_ref']));
  if (image === undefined) throw requestRejected(404, 'Image object not found!');
  return image;
}
