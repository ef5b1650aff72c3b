import path from 'node:path';
import type { CommandContext } from '../../cli/context.js';
import { placeText } from '../../core/model/source/diagnostic.js';
import { colourWanted, createPalette, type Palette } from '../../reporting/text/palette.js';
import { count, grouped, nameSome } from '../../reporting/text/words.js';
import type { AnsibleProject } from './files.js';
import { SURVEYED_PARTS, type Survey, type SurveyedPart, type SurveyFinding, type SurveyVerdict } from './survey.js';

interface Format extends Pick<CommandContext, 'cwd' | 'env' | 'stdout'> {
  readonly color?: boolean | undefined;
}

const MOST_PLACES = 5;
const MOST_MEMBERS = 12;

const HEADINGS: Readonly<Record<SurveyVerdict, string>> = {
  cannot: 'What cannot work here',
  change: 'What needs a change',
  works: 'What works, with a remark',
};

/** The summary first, then what was found: what cannot work, what needs a change, remarks; most frequent first. */
export function surveyText({ tasks, parts, findings }: Survey, project: AnsibleProject, format: Format): string {
  const { cwd, env, stdout, color } = format;
  const palette = createPalette(colourWanted(stdout, env, color));
  const total = tasks.works + tasks.change + tasks.cannot;
  const line = (number: number, words: string): string =>
    `  ${grouped(number).padStart(7)}  ${percentage(number, total).padStart(5)}  ${words}\n`;
  const { playbooks, roles, inventories } = project;
  const sizes = [count(playbooks.length, 'playbook'), count(roles.length, 'role'), inventoriesText(inventories.length)];
  const verdicts: readonly SurveyVerdict[] = ['cannot', 'change', 'works'];
  const sections = verdicts.map((verdict) =>
    section(
      verdict,
      findings.filter((one) => one.verdict === verdict),
      palette,
    ),
  );
  return `${palette.strong(path.relative(cwd, project.directory) || '.')}: ${sizes.join(', ')}, ${count(total, 'task')}

${line(tasks.works, 'work as they are')}${line(tasks.change, 'need a change')}${line(tasks.cannot, 'cannot work here')}
${inPlace(tasks, total)}${partsText(parts)}${sections.join('')}`;
}

/** Before and after the changes that are listed. */
function inPlace({ works, change }: Survey['tasks'], total: number): string {
  const after = change === 0 ? '' : `, ${grouped(works + change)} after the changes below`;
  return `${grouped(works)} of ${count(total, 'task')} run in place${after}.\n`;
}

const PART_TITLES: Readonly<Record<SurveyedPart, string>> = {
  plays: 'plays',
  roles: 'roles',
  inventories: 'inventories',
  plugins: 'files of plugins and modules in Python',
  settings: 'settings of ansible.cfg',
};

function partsText(parts: Survey['parts']): string {
  const shown = SURVEYED_PARTS.filter((part) => parts[part].total > 0).map((part) => {
    const { works, total } = parts[part];
    return `${grouped(works)} of ${grouped(total)} ${PART_TITLES[part]}`;
  });
  return shown.length === 0 ? '' : `So do ${shown.join(', ')}.\n`;
}

function inventoriesText(number: number): string {
  return number === 1 ? '1 inventory' : `${grouped(number)} inventories`;
}

function percentage(number: number, total: number): string {
  return total === 0 ? '' : `${Math.floor((100 * number) / total)} %`;
}

function section(verdict: SurveyVerdict, findings: readonly SurveyFinding[], palette: Palette): string {
  if (findings.length === 0) return '';
  return `\n${palette.strong(HEADINGS[verdict])}\n${findings.map((one) => findingText(one, palette)).join('')}`;
}

function findingText({ message, hint, members, places }: SurveyFinding, palette: Palette): string {
  const named = [...members].map(([name, times]) => (times === 1 ? name : `${name} (${times})`));
  const what = named.length === 0 ? '' : `: ${nameSome(named, MOST_MEMBERS)}`;
  const indent = ' '.repeat(11);
  const lines = [`  ${grouped(Math.max(1, places.length)).padStart(7)}  ${message}${what}`];
  if (hint !== undefined) lines.push(`${indent}${palette.good('→')} ${hint}`);
  if (places.length > 0) lines.push(`${indent}${palette.place(nameSome(places.map(placeText), MOST_PLACES))}`);
  return `${lines.join('\n')}\n`;
}

/** For programs: documented in `docs/lint.md`. */
export function surveyJson({ tasks, parts, findings }: Survey, project: AnsibleProject): string {
  const report = {
    directory: project.directory,
    playbooks: project.playbooks.length,
    roles: project.roles.length,
    inventories: project.inventories.length,
    tasks: { total: tasks.works + tasks.change + tasks.cannot, ...tasks },
    parts,
    findings: findings.map(({ members, ...one }) => ({
      ...one,
      count: Math.max(1, one.places.length),
      members: Object.fromEntries(members),
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
