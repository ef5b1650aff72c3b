import path from 'node:path';
import { colourWanted } from '../cli/colour.js';
import type { CommandContext } from '../cli/context.js';
import { placeText } from '../core/model/source/source.js';
import { createPalette, type Palette } from '../reporting/text/palette.js';
import { count, grouped, someOf } from '../reporting/text/words.js';
import type { AnsibleProject } from './ansible_project/files.js';
import type { Survey, SurveyFinding, Verdict } from './ansible_project/survey.js';

interface Format extends Pick<CommandContext, 'cwd' | 'env' | 'stdout'> {
  readonly color?: boolean | undefined;
}

const MOST_PLACES = 5;
const MOST_MEMBERS = 12;

const HEADINGS: Readonly<Record<Verdict, string>> = {
  cannot: 'What cannot work here',
  change: 'What needs a change',
  works: 'What works, with a remark',
};

/** The summary first, then what was found: what cannot work, what needs a change, remarks; most frequent first. */
export function surveyText({ tasks, findings }: Survey, project: AnsibleProject, format: Format): string {
  const { cwd, env, stdout, color } = format;
  const palette = createPalette(colourWanted(stdout, env, color));
  const total = tasks.works + tasks.change + tasks.cannot;
  const line = (number: number, words: string): string =>
    `  ${grouped(number).padStart(7)}  ${percentage(number, total).padStart(5)}  ${words}\n`;
  const { playbooks, roles, inventories } = project;
  const sizes = [count(playbooks.length, 'playbook'), count(roles.length, 'role'), inventoriesText(inventories.length)];
  const verdicts: readonly Verdict[] = ['cannot', 'change', 'works'];
  const sections = verdicts.map((verdict) =>
    section(
      verdict,
      findings.filter((one) => one.verdict === verdict),
      palette,
    ),
  );
  return `${palette.strong(path.relative(cwd, project.directory) || '.')}: ${sizes.join(', ')}, ${count(total, 'task')}

${line(tasks.works, 'work as they are')}${line(tasks.change, 'need a change')}${line(tasks.cannot, 'cannot work here')}${sections.join('')}`;
}

function inventoriesText(number: number): string {
  return number === 1 ? '1 inventory' : `${grouped(number)} inventories`;
}

function percentage(number: number, total: number): string {
  return total === 0 ? '' : `${Math.floor((100 * number) / total)} %`;
}

function section(verdict: Verdict, findings: readonly SurveyFinding[], palette: Palette): string {
  if (findings.length === 0) return '';
  return `\n${palette.strong(HEADINGS[verdict])}\n${findings.map((one) => findingText(one, palette)).join('')}`;
}

function findingText({ message, hint, members, places }: SurveyFinding, palette: Palette): string {
  const named = [...members].map(([name, times]) => (times === 1 ? name : `${name} (${times})`));
  const what = named.length === 0 ? '' : `: ${someOf(named, MOST_MEMBERS)}`;
  const indent = ' '.repeat(11);
  const lines = [`  ${grouped(Math.max(1, places.length)).padStart(7)}  ${message}${what}`];
  if (hint !== undefined) lines.push(`${indent}${palette.good('→')} ${hint}`);
  if (places.length > 0) lines.push(`${indent}${palette.place(someOf(places.map(placeText), MOST_PLACES))}`);
  return `${lines.join('\n')}\n`;
}

/** For programs: documented in `docs/lint.md`. */
export function surveyJson({ tasks, findings }: Survey, project: AnsibleProject): string {
  const report = {
    directory: project.directory,
    playbooks: project.playbooks.length,
    roles: project.roles.length,
    inventories: project.inventories.length,
    tasks: { total: tasks.works + tasks.change + tasks.cannot, ...tasks },
    findings: findings.map(({ members, ...one }) => ({
      ...one,
      count: Math.max(1, one.places.length),
      members: Object.fromEntries(members),
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
