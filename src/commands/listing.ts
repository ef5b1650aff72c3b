import type { Include, Task } from '../model/playbook.js';

/** A play with the controllers it targets and the tasks that the tags select. */
export interface SelectedPlay {
  /** The playbook's. */
  readonly file: string;
  readonly name: string;
  readonly pattern: string;
  readonly controllers: readonly string[];
  readonly steps: readonly (Task | Include)[];
  readonly tags: readonly string[];
}

export interface Wanted {
  readonly hosts: boolean;
  readonly tasks: boolean;
  readonly tags: boolean;
}

/** What `--list-hosts`, `--list-tasks` and `--list-tags` print, laid out as ansible-playbook does. */
export function listing(files: readonly string[], plays: readonly SelectedPlay[], wanted: Wanted): string {
  return files
    .map((file) => {
      const own = plays.filter((play) => play.file === file);
      return `\nplaybook: ${file}\n${own.map((play, index) => `\n${playText(play, index + 1, wanted)}`).join('')}`;
    })
    .join('');
}

function playText(play: SelectedPlay, number: number, wanted: Wanted): string {
  const lines = [`  play #${number} (${play.pattern}): ${play.name}\tTAGS: [${play.tags.join(', ')}]`];
  if (wanted.hosts) {
    lines.push(`    pattern: ['${play.pattern}']`, `    hosts (${play.controllers.length}):`);
    lines.push(...play.controllers.map((name) => `      ${name}`));
  }
  if (wanted.tasks) {
    lines.push('    tasks:', ...play.steps.map((step) => `      ${stepName(step)}\tTAGS: [${sorted(step.tags)}]`));
  }
  if (wanted.tags) lines.push(`      TASK TAGS: [${sorted(play.steps.flatMap((step) => step.tags))}]`);
  return `${lines.join('\n')}\n`;
}

function stepName(step: Task | Include): string {
  return step.name?.value ?? step.module;
}

function sorted(tags: readonly string[]): string {
  return [...new Set(tags)].sort().join(', ');
}
