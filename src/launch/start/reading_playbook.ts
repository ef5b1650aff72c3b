import path from 'node:path';
import * as Type from 'typebox';
import { generatedPlay, generatedTask, type Playbook } from '../../core/model/playbook/playbook.js';
import type { Task } from '../../core/model/playbook/step.js';
import type { TaskFinished } from '../../core/model/run/event.js';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Mapping } from '../../core/model/values/value.js';
import type { KindTable } from '../../kinds/kind_table.js';
import { catalogueWith, type Catalogue } from '../../module/catalogue.js';
import { defineAction, type ActionContext } from '../../module/contract.js';
import { TYPED } from '../../project/document/command_line.js';
import { ProjectSources } from '../../project/document/project_sources.js';
import { watched } from '../../reporting/reporter.js';
import type { RunPorts } from '../load/ports.js';
import { selectedControllers, selectPlays } from '../load/prepared_run.js';
import { loadTarget, type LoadedTarget } from '../load/target.js';
import { refusedBy, runRequest, type RunOptions, type RunRequest } from '../request/run_request.js';
import { readAdjacent, type AdjacentVariables } from '../undo/adjacent_variables.js';
import type { NotPermitted } from './permission.js';
import { startPrepared } from './start_run.js';

/** The part of a task's context that reading needs. */
export type ReadingContext = Pick<ActionContext, 'controller' | 'variable' | 'list' | 'ping'>;

/** The name of the generated playbook's only module. */
const MODULE = 'read_objects';

/** What a run that only reads is loaded from: a check without a playbook. */
interface OpenedReading {
  readonly folder: string;
  readonly request: RunRequest;
  readonly target: LoadedTarget;
  readonly reads: ProjectSources;
  readonly adjacent: AdjacentVariables;
  readonly diagnostics: Diagnostics;
}

export async function openReading(options: RunOptions, ports: RunPorts): Promise<OpenedReading> {
  const diagnostics = new Diagnostics();
  const request = runRequest({ type: 'run', playbooks: [] }, { ...options, check: true, diff: undefined });
  const reads = new ProjectSources();
  const workspace = { ...ports, askSecret: ports.user.askSecret, sources: reads };
  const folder = path.resolve(ports.cwd);
  const target = await loadTarget(request, workspace, diagnostics, [folder]);
  const adjacent = await readAdjacent([folder], ports.cwd, diagnostics, target);
  return { folder, request, target, reads, adjacent, diagnostics };
}

interface ReadingWork {
  readonly label: string;
  readonly pattern: string;
  /** A task for each; absent: one task, in the tenant of each controller. */
  readonly tenants?: readonly string[] | undefined;
  readonly kinds: () => Promise<KindTable>;
  /** Called once for each task on every controller of the pattern. The task fails with a problem that this returns. */
  readonly read: (context: ReadingContext, tenant: string | undefined) => Promise<{ readonly problem?: string }>;
}

export interface ReadingEnd {
  readonly status: 'read';
  /** In the order of the inventory. */
  readonly controllers: readonly string[];
  /** By controller: tasks that failed, maybe before they sent anything, for example without a password. */
  readonly failures: ReadonlyMap<string, TaskFinished>;
  readonly interrupted: boolean;
}

/** Reads all selected controllers with a check run of a generated playbook, which cannot write. Keeps no journal. */
export async function runReading(
  { folder, request, target, reads, adjacent, diagnostics }: OpenedReading,
  work: ReadingWork,
  ports: RunPorts,
): Promise<ReadingEnd | NotPermitted> {
  diagnostics.requireExecution();
  if (diagnostics.failed()) return refusedBy(diagnostics);
  const made = readingPlaybook(folder, adjacent, work);
  const loaded = { target, ...made, kinds: work.kinds, playbooks: [made.playbook], reads };
  const selected = selectPlays(loaded, {}, diagnostics);
  if (diagnostics.failed()) return refusedBy(diagnostics);
  ports.report.warnings(diagnostics.list, ports.cwd);
  const failures = new Map<string, TaskFinished>();
  const open: RunPorts['report']['open'] = (...about) =>
    watched(ports.report.open(...about), (event) => {
      if (event.type === 'task-finished' && (event.status === 'failed' || event.status === 'unreachable'))
        failures.set(event.controller, event);
    });
  const run = { request, loaded, selected, label: work.label, journalOptions: { isKept: false }, confirmed: true };
  const outcome = await startPrepared(run, { ...ports, report: { ...ports.report, open } });
  if (outcome.status !== 'finished') return outcome;
  return {
    status: 'read',
    controllers: [...selectedControllers(selected)],
    failures,
    interrupted: ports.signals.drain.aborted,
  };
}

/** A playbook with a task that calls `read`, and the module for it. */
function readingPlaybook(
  directory: string,
  adjacent: AdjacentVariables,
  { pattern, read, tenants = [] }: ReadingWork,
): { readonly playbook: Playbook; readonly catalogue: Catalogue } {
  const module = defineAction({
    name: MODULE,
    summary: 'reads objects of the controller',
    args: Type.Object({ tenant: Type.Optional(Type.String()) }),
    connection: ({ tenant }): Mapping => (tenant === undefined ? {} : { controller_tenant: tenant }),
    examples: [],
    check: true,
    run: async ({ tenant }, context) => {
      const { problem } = await read(context, tenant);
      return problem === undefined ? { status: 'ok' } : { status: 'failed', message: problem };
    },
  });
  const tasks = tenants.length === 0 ? [readTask({})] : tenants.map((tenant) => readTask({ tenant }));
  const hosts = { value: pattern, source: TYPED };
  const play = generatedPlay({ name: 'Read', source: TYPED, hosts, directory, tasks, ...adjacent });
  return { playbook: { file: TYPED.file, directory, plays: [play] }, catalogue: catalogueWith(module) };
}

function readTask(args: Mapping): Task {
  return generatedTask({ name: { value: 'Read', source: TYPED }, module: MODULE, args, source: TYPED });
}
