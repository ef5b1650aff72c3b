import type { EventBody } from '../../../model/run/event.js';
import type { JournalRecord, WriteIntended } from '../../../model/run/journal.js';
import type { Play } from '../../../model/playbook/playbook.js';
import { stepsOf, tasksIn } from '../../../model/playbook/steps.js';
import type { Catalogue } from '../../../module/catalogue.js';
import { hasTemplate } from '../../../template/language/template.js';
import type { InventoryChange } from '../../controllers/live_inventory.js';
import type { Call, FromWorker } from '../messages.js';
import type { WalkCoordinator, Walked } from './walk_coordinator.js';
import type { WalkHistory } from './walk_history.js';

/**
 * Checks which controllers a worker may report on: a site that was taken over must not report events, results or writes
 * for controllers of another site. Tasks must be for the walk's controller. Connections and effects on other
 * controllers may also concern a controller of the same site, whose session the worker may still have, or one that a
 * task of the play may be delegated to.
 */
export class WalkClaims {
  static readonly #plays = new WeakMap<Play, PlayFacts>();

  constructor(
    private readonly dispatcher: Pick<WalkCoordinator, 'siteOf'>,
    private readonly walked: Walked & { readonly site: string },
    private readonly history: Pick<WalkHistory, 'hasWrite'>,
  ) {}

  /** A short description of what the worker must not send; undefined if the message is permitted. */
  objectionTo(message: FromWorker): string | undefined {
    if (message.type === 'event') return this.#event(message.event);
    if (message.type === 'count') return this.#own(message.task.controller, 'a result');
    if (message.type === 'result') return this.#own(message.found.controller, 'a result');
    if (message.type === 'record') return this.#record(message.record);
    if (message.type === 'give') return this.#near(message.to, 'variables');
    if (message.type === 'plan progress' && message.progress.type === 'checked')
      return this.#near(message.progress.controller, 'a check');
    return message.type === 'call' ? this.#call(message.call) : undefined;
  }

  #call(call: Call): string | undefined {
    if (call.type === 'intend') return this.#intent(call.intent);
    if (call.type === 'writes before') return this.#near(call.target, 'a question about writes');
    if (call.type === 'last written') return this.#near(call.at.target, 'a question about writes');
    return call.type === 'change inventory' ? this.#change(call.change) : undefined;
  }

  #event(event: EventBody): string | undefined {
    const what = `an event (${event.type})`;
    switch (event.type) {
      case 'task-started':
      case 'task-finished':
      case 'task-retried':
      case 'task-progressed':
      case 'handler-notified':
        return this.#own(event.controller, what);
      case 'request-finished':
      case 'request-retried':
      case 'controller-throttled':
        return this.#near(event.controller, what);
      case 'warning':
        return event.controller === undefined ? undefined : this.#near(event.controller, what);
      case 'run-started':
      case 'play-started':
      case 'batch-started':
      case 'gate-started':
      case 'gate-checked':
      case 'gate-finished':
      case 'controller-finished':
      case 'batch-finished':
      case 'play-finished':
      case 'run-finished':
        return `an event of the run (${event.type})`;
      default:
        return event satisfies never;
    }
  }

  #record(record: Exclude<JournalRecord, WriteIntended>): string | undefined {
    switch (record.type) {
      case 'step-settled': {
        const others = (record.left?.elsewhere ?? []).map(({ owner }) => this.#near(owner, 'variables'));
        return this.#own(record.controller, 'a finished step') ?? others.find((other) => other !== undefined);
      }
      case 'step-declined':
        return this.#own(record.controller, 'a step');
      case 'write-finished':
      case 'write-verified':
        if (!this.history.hasWrite(record.write)) return `write ${record.write}, which is not one of this controller's`;
        return this.#own(record.controller, 'a write');
      case 'controller-reached':
        return this.#near(record.controller, 'an address');
      case 'batch-ended':
      case 'steps-forgotten':
        return `a record of the run (${record.type})`;
      default:
        return record satisfies never;
    }
  }

  #intent({ controller, target }: Omit<WriteIntended, 'write'>): string | undefined {
    return this.#own(controller, 'a write') ?? this.#near(target, 'a write');
  }

  /** Variables of an added controller or a group can redirect the passwords of other controllers. */
  #change(change: InventoryChange): string | undefined {
    if ('controller' in change) return this.#own(change.controller, 'a group') ?? this.#of('group_by', 'a group');
    return this.#of('add_host', 'a new controller');
  }

  #of(module: string, what: string): string | undefined {
    const { modules } = this.#play();
    return modules === 'any' || modules.has(module) ? undefined : `${what}, without a task with ${module}`;
  }

  #own(controller: string, what: string): string | undefined {
    return controller === this.walked.state.name ? undefined : `${what} of ${controller}`;
  }

  #near(controller: string, what: string): string | undefined {
    const { state, site } = this.walked;
    const isNear = controller === state.name || this.#isOfSite(controller, site) || this.#mayLeadTo(controller);
    return isNear ? undefined : `${what} of ${controller}`;
  }

  #isOfSite(controller: string, site: string): boolean {
    const { context } = this.walked;
    const state = context.run.fleet.find(controller);
    return state !== undefined && this.dispatcher.siteOf(context, state) === site;
  }

  #mayLeadTo(controller: string): boolean {
    const { delegates } = this.#play();
    return delegates === 'any' || delegates.has(controller);
  }

  #play(): PlayFacts {
    const { part, play, run } = this.walked.context;
    if (part.made !== undefined) return ANYTHING;
    const known = WalkClaims.#plays.get(play.definition) ?? factsOf(play.definition, run.input.sources.catalogue);
    WalkClaims.#plays.set(play.definition, known);
    return known;
  }
}

/** `any`: a template, an included file or a project module decides. */
interface PlayFacts {
  /** Controllers that tasks may be delegated to. */
  readonly delegates: ReadonlySet<string> | 'any';
  readonly modules: ReadonlySet<string> | 'any';
}

const ANYTHING: PlayFacts = { delegates: 'any', modules: 'any' };

function factsOf(play: Play, catalogue: Pick<Catalogue, 'isProjectModule'>): PlayFacts {
  const steps = tasksIn([...stepsOf(play), ...play.handlers]);
  if (steps.some(({ type }) => type === 'include')) return ANYTHING;
  const to = steps.flatMap(({ delegateTo }) => (delegateTo === undefined ? [] : [delegateTo.value]));
  const named = to.filter((one) => typeof one === 'string' && !hasTemplate(one)).map(String);
  return {
    delegates: named.length === to.length ? new Set(named) : 'any',
    modules: steps.some(({ module }) => catalogue.isProjectModule?.(module) === true)
      ? 'any'
      : new Set(steps.map(({ module }) => module.split('.').at(-1) ?? module)),
  };
}
