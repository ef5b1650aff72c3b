import type { Playbook } from '../core/model/playbook/playbook.js';
import type { Include, Meta, Step, Task } from '../core/model/playbook/step.js';
import type { SelectedPlay } from '../launch/load/selection.js';

export interface Wanted {
  readonly hosts: boolean;
  readonly tasks: boolean;
  readonly tags: boolean;
}

/** What `--list-hosts`, `--list-tasks` and `--list-tags` print, laid out as ansible-playbook does. */
export function listing(playbooks: readonly Playbook[], plays: readonly SelectedPlay[], wanted: Wanted): string {
  return playbooks
    .map((playbook) => {
      const own = plays.filter((play) => play.playbook === playbook);
      return `\nplaybook: ${playbook.file}\n${own.map((play, index) => `\n${playText(play, index + 1, wanted)}`).join('')}`;
    })
    .join('');
}

function playText(play: SelectedPlay, number: number, wanted: Wanted): string {
  const { pattern, name } = play;
  const { tags } = play.play;
  const [steps, checks] = [listed(play.steps), listed(play.checks)];
  const tasks = [
    '    tasks:',
    ...steps.map(stepLine),
    ...(checks.length === 0 ? [] : ['    gate:']),
    ...checks.map(stepLine),
  ];
  const lines = [
    `  play #${number} (${pattern.replaceAll('\n', ',')}): ${name}\tTAGS: [${tags.join(',')}]`,
    ...(wanted.hosts ? hostLines(play) : []),
    ...(wanted.tasks ? tasks : []),
    ...(wanted.tags
      ? [`      TASK TAGS: [${sorted([...tags, ...[...steps, ...checks].flatMap((step) => step.tags)])}]`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function stepLine(step: Listed): string {
  return `      ${titleOf(step)}\tTAGS: [${sorted(step.tags)}]`;
}

function hostLines({ pattern, controllers }: SelectedPlay): readonly string[] {
  return [
    `    pattern: ['${pattern.split('\n').join("', '")}']`,
    `    hosts (${controllers.length}):`,
    ...controllers.map((one) => `      ${one}`),
  ];
}

type Listed = Task | Include | Meta;

/** For a block, only the steps that run if nothing fails, as in Ansible. */
function listed(steps: readonly Step[]): readonly Listed[] {
  return steps.flatMap((step) => {
    switch (step.type) {
      case 'task':
      case 'include':
      case 'meta':
        return [step];
      case 'block':
      case 'role':
        return listed(step.steps);
      default:
        return step satisfies never;
    }
  });
}

/** The name as it was written, its role before it; of an unnamed one the module alone. */
function titleOf(step: Listed): string {
  if (step.name === undefined) return step.type === 'meta' ? 'meta' : step.module;
  const { value } = step.name;
  return step.role === undefined ? value : `${step.role} : ${value}`;
}

function sorted(tags: readonly string[]): string {
  return [...new Set(tags)].sort().join(', ');
}
