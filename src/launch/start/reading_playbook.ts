import * as Type from 'typebox';
import { generatedPlay, generatedTask } from '../../core/model/playbook/generated_play.js';
import type { Playbook } from '../../core/model/playbook/playbook.js';
import { catalogueWith, type Catalogue } from '../../module/catalogue.js';
import { defineAction, type ActionContext } from '../../module/contract.js';
import { TYPED } from '../../project/document/command_line.js';
import type { VariablesBeside } from '../undo/variables_beside.js';

/** The part of a task's context that reading needs. */
export type ReadingContext = Pick<ActionContext, 'controller' | 'variable' | 'list' | 'ping'>;

/** The name of the generated playbook's only module. */
const MODULE = 'read_objects';

/**
 * A playbook with one task that calls `read` on every controller of a pattern, and the module for it. It cannot write.
 * The task fails with a problem that `read` returns.
 */
export function readingPlaybook(
  directory: string,
  beside: VariablesBeside,
  pattern: string,
  read: (context: ReadingContext) => Promise<{ readonly problem?: string }>,
): { readonly playbook: Playbook; readonly catalogue: Catalogue } {
  const module = defineAction({
    name: MODULE,
    summary: 'reads objects of the controller',
    args: Type.Object({}),
    examples: [],
    check: true,
    run: async (_given, context) => {
      const { problem } = await read(context);
      return problem === undefined ? { status: 'ok' } : { status: 'failed', message: problem };
    },
  });
  const hosts = { value: pattern, source: TYPED };
  const play = generatedPlay({ name: 'Read', source: TYPED, hosts, directory, tasks: [TASK], ...beside });
  return {
    playbook: { file: TYPED.file, directory, plays: [play] },
    catalogue: catalogueWith(module),
  };
}

const TASK = generatedTask({ name: { value: 'Read', source: TYPED }, module: MODULE, args: {}, source: TYPED });
