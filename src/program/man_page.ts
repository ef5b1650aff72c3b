import type { Command, Option } from 'commander';
import { addedExamples } from '../cli/options/define.js';
import { firstClause } from './help.js';
import { environmentVariables, exitCodes, groupHelp, READ_ON } from './help_all.js';

/**
 * The manual pages of section 1, by file name: one of the program, and one of each command. From the declarations of
 * the help.
 */
export function manPages(program: Command, edition: Edition): ReadonlyMap<string, string> {
  groupHelp(program);
  const pages = program.commands.map((command) => [`evenkeel-${command.name()}.1`, page(command, edition)] as const);
  return new Map([['evenkeel.1', page(program, edition)], ...pages]);
}

interface Edition {
  readonly version: string;
  /** 2026-11-23 */
  readonly date: string;
}

function page(command: Command, { version, date }: Edition): string {
  const isProgram = command.parent === null;
  const name = isProgram ? 'evenkeel' : `evenkeel-${command.name()}`;
  return [
    `.TH ${name.toUpperCase().replaceAll('-', String.raw`\-`)} 1 "${date}" "evenkeel ${roff(version)}" "Evenkeel"`,
    section('NAME', [
      `${roff(name)} \\- ${roff(firstClause(command.description(), Infinity).replaceAll(/\s+/g, ' '))}`,
    ]),
    section('SYNOPSIS', synopsis(command)),
    section('DESCRIPTION', [roff(command.description())]),
    ...(command.registeredArguments.length === 0
      ? []
      : [
          section(
            'ARGUMENTS',
            command.registeredArguments.flatMap((one) => item(one.name(), one.description)),
          ),
        ]),
    ...(isProgram ? commandSections(command) : optionSections(command)),
    ...(isProgram ? [] : command.commands.map((inner) => innerSection(inner))),
    section(
      'EXAMPLES',
      addedExamples(command).flatMap(([line, why]) => item(line, why)),
    ),
    ...(isProgram ? programSections() : [section('SEE ALSO', [String.raw`.BR evenkeel (1)`])]),
  ]
    .filter((part) => part !== '')
    .join('\n')
    .concat('\n');
}

function synopsis(command: Command): readonly string[] {
  const words = [command.name()];
  for (let above = command.parent; above !== null; above = above.parent) words.unshift(above.name());
  return [`.B ${roff(words.join(' '))}`, roff(command.usage())];
}

function commandSections(program: Command): readonly string[] {
  const headings = [...new Set(program.commands.map((one) => one.helpGroup()))];
  return headings.map((heading) => {
    const commands = program.commands.filter((one) => one.helpGroup() === heading);
    return section(
      title(heading),
      commands.flatMap((one) => ['.TP', `.BR evenkeel\\-${roff(one.name())} (1)`, roff(one.description())]),
    );
  });
}

function optionSections(command: Command): readonly string[] {
  const headings = [...new Set(command.options.map((one) => one.helpGroupHeading ?? 'Options:'))];
  return headings.map((heading) => {
    const options = command.options.filter((one) => (one.helpGroupHeading ?? 'Options:') === heading);
    return section(title(heading), options.flatMap(optionItem));
  });
}

function optionItem(option: Option): readonly string[] {
  const choices = option.argChoices === undefined ? '' : `; one of ${option.argChoices.join(', ')}`;
  return item(option.flags, `${option.description}${choices}`);
}

/** A command of a command: `vault encrypt`. */
function innerSection(command: Command): string {
  const synopsis = `evenkeel ${command.parent?.name() ?? ''} ${command.name()} ${command.usage()}`;
  const lines = [`.B ${roff(synopsis)}`, '.PP', roff(command.description())];
  const examples = addedExamples(command).flatMap(([line, why]) => item(line, why));
  return section(command.name().toUpperCase(), [...lines, ...command.options.flatMap(optionItem), ...examples]);
}

function programSections(): readonly string[] {
  return [
    section(
      'EXIT STATUS',
      exitCodes().flatMap(([code, meaning]) => item(code, meaning)),
    ),
    section(
      'ENVIRONMENT',
      environmentVariables().flatMap(([name, about]) => item(name, about)),
    ),
    section(
      'SEE ALSO',
      READ_ON.flatMap(([name, about]) => item(name, about)),
    ),
  ];
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`.SH ${roff(heading)}`, ...lines].join('\n');
}

function title(heading: string): string {
  return heading.replace(/:$/, '').toUpperCase();
}

function item(term: string, text: string): readonly string[] {
  return ['.TP', `.B ${roff(term)}`, roff(text)];
}

/** Escapes text for roff, so that it contains no requests or escapes. */
function roff(text: string): string {
  return text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll('…', '...')
    .replaceAll(/\s+/g, ' ')
    .replace(/^(?=[.'])/, String.raw`\&`)
    .replaceAll('"', String.raw`\(dq`)
    .replaceAll("'", String.raw`\(aq`);
}
