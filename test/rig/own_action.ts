import Type from 'typebox';
import { defineAction, type ActionContext, type ActionModule, type ActionResult } from '../../src/module/contract.js';
import { catalogue } from './loaded.js';
import { runText, type Ran, type TextOptions } from './run_text.js';

/** A module of a test, which tasks call as `own`. */
interface Own extends Partial<Pick<ActionModule, 'check'>> {
  readonly run: (
    context: ActionContext,
    args: Readonly<Record<string, unknown>>,
  ) => ActionResult | Promise<ActionResult>;
}

/** Runs these tasks, of which `own` is this action. */
export function acting({ run, check = true }: Own, tasks: string, options: TextOptions = {}): Promise<Ran> {
  const own = defineAction({
    name: 'own',
    summary: 'It is of a test.',
    examples: [],
    args: Type.Object({ text: Type.Optional(Type.Unknown()), list: Type.Optional(Type.Array(Type.Unknown())) }),
    check,
    run: (args, context) => Promise.resolve(run(context, { ...args })),
  });
  const load: typeof catalogue.load = (name) => (name === 'own' ? Promise.resolve(own) : catalogue.load(name));
  const playbook = `- hosts: all\n  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}\n`;
  return runText(playbook, { catalogue: { ...catalogue, names: [...catalogue.names, 'own'], load }, ...options });
}
