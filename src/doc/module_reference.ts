import type { Value } from '../core/model/values/value.js';
import type { ArgumentDescription, ModuleDescription } from '../module/description.js';
import { tableLines, wordLines } from '../reporting/text/width.js';
import { nameSome } from '../reporting/text/words.js';
import type { Topic } from './topics.js';

/** A module's reference for a terminal of that many columns. */
export function moduleText(module: ModuleDescription, columns: number): string {
  const width = Math.min(columns, 100);
  return [
    `${module.name} (${module.type}): ${module.summary}`,
    wrapped(`${module.description ?? ''} ${describeCheckMode(module)}`.trim(), width, '  '),
    section('Arguments', argumentLines(module, width)),
    section(
      aboutFields(module),
      module.fields.map((field) => `  ${field.path}  ${describeArgument(field)}`),
    ),
    section(
      'Examples',
      module.examples.flatMap((example) => [indented(example), '']),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

/** A keyword, filter, test, lookup, variable, setting or role, for a terminal of that many columns. */
export function topicText({ name, type, text, facts, examples, page }: Topic, columns: number): string {
  const width = Math.min(columns, 100);
  const title = Math.max(...facts.map(([one]) => one.length), 'Read on'.length);
  const rows = [...facts, ['Read on', page] as const].map(([one, fact]) =>
    wrapped(fact, width, ' '.repeat(title + 4)).replace(' '.repeat(title + 4), `  ${one.padEnd(title)}  `),
  );
  const parts = [`${name} (${type}): ${text}`, rows.join('\n'), section('Examples', examples.map(indented))];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Name and summary of each, a line each. */
export function summaryText(modules: readonly Pick<ModuleDescription, 'name' | 'summary'>[]): string {
  return tableLines(modules.map(({ name, summary }) => [name, summary]))
    .map((line) => `${line}\n`)
    .join('');
}

function argumentLines(module: ModuleDescription, width: number): readonly string[] {
  const lines = module.arguments.flatMap((argument) => argumentText(argument, width));
  return module.open ? [...lines, `  ${describeOtherArguments(module)}`] : lines;
}

function argumentText(argument: ArgumentDescription, width: number): readonly string[] {
  const head = `  ${argument.path}  ${describeArgument(argument)}`;
  return argument.description === undefined ? [head] : [head, wrapped(argument.description, width, '      ')];
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines].join('\n').trimEnd();
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function wrapped(text: string, width: number, indent: string): string {
  return wordLines(text, width - indent.length)
    .map((line) => indent + line)
    .join('\n');
}

/** The properties of an argument besides its description: `integer, required`, `string, default "on_create"`. */
export function describeArgument(argument: ArgumentDescription): string {
  const { minimum, maximum, special = [], unit, since, until } = argument;
  const facts = [
    argument.type,
    argument.required ? 'required' : undefined,
    argument.choices === undefined ? undefined : `one of ${choicesText(argument.choices)}`,
    minimum === undefined
      ? undefined
      : maximum === undefined
        ? `at least ${minimum}`
        : `from ${minimum} to ${[maximum, ...special].join(' or ')}`,
    unit === undefined || unit.startsWith('per ') ? unit : `in ${unit}`,
    ...sizeTexts(argument),
    since === undefined ? undefined : `since ${since}`,
    until === undefined ? undefined : `until ${until}`,
    argument.default === undefined ? undefined : `default ${JSON.stringify(argument.default)}`,
    argument.secret === true ? 'secret: masked in all output' : undefined,
  ];
  return facts.filter((fact) => fact !== undefined).join(', ');
}

/** Enumerations of events or time zones have hundreds of values. */
const MOST_CHOICES = 60;
const SHOWN_OF_MANY = 10;

function choicesText(choices: readonly Value[]): string {
  return nameSome(choices.map(text), choices.length <= MOST_CHOICES ? MOST_CHOICES : SHOWN_OF_MANY);
}

function sizeTexts({ minItems, maxItems }: ArgumentDescription): readonly string[] {
  const least = minItems === undefined ? [] : [`at least ${minItems} of them`];
  return maxItems === undefined ? least : [...least, `at most ${maxItems} of them`];
}

function text(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Explains the types of fields that are not arguments. */
export function aboutFields({ structure }: ModuleDescription): string {
  return structure === undefined
    ? 'Fields known beyond the API document (values are converted to these types or refused; bounds and choices are not enforced; the controller sets the defaults)'
    : `Fields of ${structure} (values are converted to these types or refused; bounds and choices are those of one release, so others pass with a warning; "required": to create it)`;
}

/** How a module behaves under `--check`, as a sentence; empty if its description says that. */
export function describeCheckMode({ checkMode, description = '' }: ModuleDescription): string {
  return /check mode/i.test(description) ? '' : CHECK_MODES[checkMode];
}

const CHECK_MODES: Readonly<Record<ModuleDescription['checkMode'], string>> = {
  full: 'Supports check mode, diff and verification.',
  runs: 'Runs in check mode, too.',
  skipped: 'Is skipped in check mode.',
  'depends on the arguments': 'Is skipped in check mode if its arguments can change something.',
};

/** What happens to undeclared arguments, if a module accepts them. */
export function describeOtherArguments({ type }: ModuleDescription): string {
  return type === 'resource'
    ? 'Any other argument is a field of the object, which Evenkeel sends unchanged.'
    : 'Other arguments are allowed.';
}
