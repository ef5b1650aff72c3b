import * as Type from 'typebox';
import { generatedPlay, generatedTask } from '../../core/model/playbook/generated_play.js';
import type { Playbook } from '../../core/model/playbook/playbook.js';
import type { Task } from '../../core/model/playbook/step.js';
import type { Mapping } from '../../core/model/values/value.js';
import { catalogueWith, type Catalogue } from '../../module/catalogue.js';
import { defineAction, type ActionContext } from '../../module/contract.js';
import { TYPED } from '../../project/document/command_line.js';
import type { VariablesBeside } from '../undo/variables_beside.js';

/** The part of a task's context that reading needs. */
export type ReadingContext = Pick<ActionContext, 'controller' | 'variable' | 'list' | 'ping'>;

/** The name of the generated playbook's only module. */
const MODULE = 'read_objects';

/**
 * A playbook with a task that calls `read` on every controller of a pattern, and the module for it. It cannot write.
 * The task fails with a problem that `read` returns.
 *
 * @param tenants a task for each; otherwise one task, in the tenant of each controller
 */
export function readingPlaybook(
  directory: string,
  beside: VariablesBeside,
  pattern: string,
  read: (context: ReadingContext, tenant: string | undefined) => Promise<{ readonly problem?: string }>,
  tenants: readonly string[] = [],
): { readonly playbook: Playbook; readonly catalogue: Catalogue } {
  const module = defineAction({
    name: MODULE,
    summary: 'reads objects of the controller',
    args: Type.Object({ tenant: Type.Optional(Type.String({ connection: 'controller_tenant' })) }),
    examples: [],
    check: true,
    run: async ({ tenant }, context) => {
      const { problem } = await read(context, tenant);
      return problem === undefined ? { status: 'ok' } : { status: 'failed', message: problem };
    },
  });
  const tasks = tenants.length === 0 ? [readTask({})] : tenants.map((tenant) => readTask({ tenant }));
  const hosts = { value: pattern, source: TYPED };
  const play = generatedPlay({ name: 'Read', source: TYPED, hosts, directory, tasks, ...beside });
  return {
    playbook: { file: TYPED.file, directory, plays: [play] },
    catalogue: catalogueWith(module),
  };
}

function readTask(args: Mapping): Task {
  return generatedTask({ name: { value: 'Read', source: TYPED }, module: MODULE, args, source: TYPED });
}
