import path from 'node:path';
import { allSteps, stepListsIn, type Play } from '../core/model/playbook/playbook.js';
import type { Handler, Include, Located, Step } from '../core/model/playbook/step.js';
import { NO_EXEC, type Diagnostics } from '../core/model/source/diagnostic.js';
import { didYouMean } from '../core/model/source/suggestion.js';
import type { VariableLayer } from '../core/model/values/variables.js';
import { SecretFinder } from '../core/secrets/secret_finder.js';
import type { Secrets } from '../core/secrets/secrets.js';
import { hasTemplate } from '../language/syntax/template.js';
import { equalAddressErrors } from '../launch/load/addresses_in_files.js';
import { readAhead } from '../launch/load/read_ahead.js';
import type { LoadingWorkspace } from '../launch/load/target.js';
import { openCatalogue } from '../launch/user_code/catalogue.js';
import { openLibrary } from '../launch/user_code/user_filters.js';
import type { Catalogue } from '../module/catalogue.js';
import type { Module } from '../module/contract.js';
import { loadPlaybooks } from '../project/playbook/playbook.js';
import { loadProject, type LintProject, type Project } from '../project/project/project.js';
import { SourceFiles } from '../reporting/text/source_files.js';
import { readFleets, warnUnusedVariables, type LintFleetOptions } from './fleets.js';
import type { LintSettings } from './lint.js';
import { allTasks, type LintSubject, type PlacedStep, type PlaySubject, type Rule } from './subject/subject.js';

/** Reads everything that the rules check, and reports errors as diagnostics. */
export async function readSubject(
  options: LintFleetOptions,
  workspace: LoadingWorkspace & { readonly secrets: Secrets },
  diagnostics: Diagnostics,
): Promise<{ readonly project: Project; readonly subject: LintSubject }> {
  const { cwd, env } = workspace;
  const project = await loadProject(cwd, env, diagnostics);
  const folders = options.playbooks.map((file) => path.dirname(path.resolve(cwd, file)));
  const code = { cwd, env, trust: project.trust, diagnostics, ansible: project.ansible };
  const library = await openLibrary([...folders, project.directory], code);
  const catalogue = openCatalogue(
    {
      named: options.modulePath ?? project.modulePaths,
      adjacent: [...folders, project.directory],
      collections: project.collections,
    },
    code,
  );
  const { secrets } = workspace;
  const fleets = await readFleets({ options, project, library, secrets }, workspace, diagnostics);
  const { vault, inventory, extraVars } = fleets;
  const { rolesPath } = project;
  const playbooks = await loadPlaybooks(options.playbooks, {
    cwd,
    catalogue,
    inventory,
    names: inventory,
    extraVars,
    rolesPath,
    diagnostics,
    library,
    vault,
  });
  const { plays, complete } = await gather(playbooks.flatMap((playbook) => playbook.plays));
  secrets.learnLater(() => {
    const read = plays.map(({ play }) => play);
    for (const one of fleets.inventories) {
      const finder = new SecretFinder(secrets, one, hasTemplate);
      finder.learnFiles({ inventory: one, extraVars, plays: read });
      finder.learnFound(vault.hidden, read);
    }
  });
  const files = new SourceFiles(cwd);
  const subject: LintSubject = {
    plays,
    inventories: fleets.inventories,
    extraVars,
    modules: await loadUsedModules(plays, catalogue),
    library,
    lines: (file) => files.lines(file),
    complete: complete && !diagnostics.list.some(({ severity, rule }) => severity === 'error' || rule === NO_EXEC),
  };
  if (options.inventory === undefined && options.env === undefined)
    warnUnusedVariables(subject, folders, cwd, diagnostics);
  // After the others: these hide nothing from the rules.
  for (const one of fleets.inventories)
    diagnostics.add(equalAddressErrors(one, library, { cwd, routes: project.routes }));
  return { project, subject };
}

/** Loading cannot fail, because the playbooks were loaded with these modules. */
async function loadUsedModules(
  plays: readonly PlaySubject[],
  catalogue: Catalogue,
): Promise<ReadonlyMap<string, Module>> {
  const modules = new Map<string, Module>();
  for (const { step } of allTasks({ plays })) {
    const module = modules.has(step.module) ? undefined : await catalogue.load(step.module);
    if (module !== undefined) modules.set(step.module, module);
  }
  return modules;
}

/** The lint settings of the project file. Names of unknown rules are errors. */
export function lintSettings(
  { skip, warn }: LintProject,
  rules: readonly Rule[],
  diagnostics: Diagnostics,
): LintSettings {
  const names = rules.map(({ name }) => name);
  const known = (list: readonly Located<string>[]): ReadonlySet<string> => {
    for (const { value, source } of list) {
      if (names.includes(value)) continue;
      const hint = didYouMean(value, names) ?? 'evenkeel lint -l lists all';
      diagnostics.error(`there is no rule "${value}"`, source, hint);
    }
    return new Set(list.map(({ value }) => value));
  };
  return { skip: known(skip), warn: known(warn) };
}

interface Gathered {
  readonly plays: readonly PlaySubject[];
  /** Whether every include could be followed. */
  readonly complete: boolean;
}

/** Follows the includes of plays as far as possible before a run. */
export async function gather(plays: readonly Play[]): Promise<Gathered> {
  const gathered: PlaySubject[] = [];
  let complete = true;
  for (const play of plays) {
    const walk = new SubjectWalk();
    gathered.push(await walk.play(play));
    complete &&= walk.complete;
  }
  return { plays: gathered, complete };
}

/** Through one play. */
class SubjectWalk {
  complete = true;
  readonly #steps: PlacedStep[] = [];
  readonly #handlers: PlacedStep<Handler>[] = [];
  readonly #layers: VariableLayer[] = [];
  /** A file that is included twice is visited once, which also ends a circle of includes. */
  readonly #seen = new Set<string>();

  async play(play: Play): Promise<PlaySubject> {
    await this.#walk(allSteps(play), []);
    await this.#gatherHandlers([...new Set(play.handlers)]);
    return { play, steps: this.#steps, handlers: this.#handlers, layers: this.#layers };
  }

  async #walk(steps: readonly Step[], around: readonly Step[], handler = false): Promise<void> {
    for (const [index, step] of steps.entries()) {
      this.#steps.push({ step, before: steps[index - 1], around, handler });
      const inside = [...around, step];
      if (step.type === 'include') await this.#include(step, inside, handler);
      else for (const inner of stepListsIn(step)) await this.#walk(inner, inside, handler);
    }
  }

  async #gatherHandlers(handlers: readonly Handler[]): Promise<void> {
    for (const step of handlers) {
      this.#handlers.push({ step, before: undefined, around: [], handler: true });
      if (step.type === 'include') await this.#include(step, [step], true);
    }
  }

  async #include(step: Include, around: readonly Step[], handler: boolean): Promise<void> {
    const ahead = await readAhead(step);
    if (ahead.type !== 'read') {
      this.complete = false;
      return;
    }
    const { key, steps, handlers, layers } = ahead.included;
    this.#layers.push(...layers);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    await this.#walk(steps, around, handler);
    await this.#gatherHandlers(handlers);
  }
}
