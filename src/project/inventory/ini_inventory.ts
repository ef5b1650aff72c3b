import type { Diagnostics, Source } from '../../core/model/source/diagnostic.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import type { Value } from '../../core/model/values/value.js';
import { parseLiteral } from '../../language/python/literal.js';
import { type InventoryBuilder, type GivenVariables, GROUP_SECTIONS, type InventoryOrigin } from './builder.js';
import { expandNames } from './range.js';
import { splitWords, type ShellWord } from './shell_words.js';

const SECTION = /^\[([^:\]\s]+)(?::(\w+))?\]\s*(?:#.*)?$/;
const GROUP_NAME = /^([^:\]\s]+)\s*(?:#.*)?$/;

type SectionKind = (typeof GROUP_SECTIONS)[number];

/** A group that is used before its declaration. Its section must follow in the same file. */
interface Pending {
  readonly place: Source;
  readonly message: string;
  /** Groups that list it as a child. */
  readonly parents: string[];
}

/** Reads an INI inventory into the builder, as Ansible does; reports every mistake with its position. */
export function addIniInventory(text: string, origin: InventoryOrigin, builder: InventoryBuilder): void {
  const reader = new IniReader(origin, builder);
  for (const line of readLines(text, origin.shown)) reader.read(line);
  reader.finish();
}

class IniReader {
  readonly #diagnostics: Diagnostics;
  readonly #pending = new Map<string, Pending>();
  /** Lines before the first section belong to `ungrouped`. Undefined after an invalid section. */
  #section: { group: string; kind: SectionKind } | undefined = { group: 'ungrouped', kind: 'hosts' };
  #variables: Assignment[] = [];

  constructor(
    private readonly origin: InventoryOrigin,
    private readonly builder: InventoryBuilder,
  ) {
    this.#diagnostics = builder.diagnostics;
  }

  read(line: IniLine): void {
    const header = SECTION.exec(line.text);
    if (header !== null) this.#enter(header[1] ?? '', header[2] ?? 'hosts', line);
    else if (line.text.startsWith('[') && (line.text.endsWith(']') || /^\[[^\]]*\]\s*;/.test(line.text)))
      this.#badSection(line);
    else this.#entry(line);
  }

  finish(): void {
    this.#leave();
    const known = [...this.builder.groups.keys()].filter((name) => !this.#pending.has(name));
    for (const [name, { place, message }] of this.#pending)
      this.#diagnostics.error(message, place, didYouMean(name, known));
  }

  #enter(group: string, kind: string, line: IniLine): void {
    this.#leave();
    if (!isKind(kind))
      return this.#diagnostics.error(
        `unknown kind of section "${kind}" in [${group}:${kind}]`,
        line.at(2 + group.length),
        didYouMean(kind, GROUP_SECTIONS) ?? 'there are :children and :vars',
      );
    this.#section = { group, kind };
    if (kind === 'vars' && !this.builder.groups.has(group))
      this.#await(group, line.at(1), `[${group}:vars] is for a group that is not defined: ${group}`);
    this.builder.addGroup(group, () => line.at(1));
    if (kind !== 'vars') this.#declare(group, line);
  }

  /** Adds the variables of a section as one layer. */
  #leave(): void {
    const section = this.#section;
    this.#section = undefined;
    if (section?.kind !== 'vars') return;
    this.builder.addGroupVariables(section.group, gather(this.#variables), this.origin);
    this.#variables = [];
  }

  #badSection(line: IniLine): void {
    this.#leave();
    const hint = 'write [group], [group:children] or [group:vars], without spaces; a comment after it starts with "#"';
    this.#diagnostics.error(`not a valid section: ${line.text}`, line.at(0), hint);
  }

  #entry(line: IniLine): void {
    if (this.#section === undefined) return;
    const { kind, group } = this.#section;
    switch (kind) {
      case 'hosts':
        return this.#controllers(line, group);
      case 'children':
        return this.#child(line, group);
      case 'vars':
        return this.#variable(readVariable(line), this.#variables);
    }
  }

  #controllers(line: IniLine, group: string): void {
    const split = splitWords(line.text);
    if ('problem' in split) return this.#diagnostics.error(`this line has ${split.problem}`, line.at(split.offset));
    const { words, cut } = split;
    const [name, ...rest] = words;
    const expansion = expandNames(name?.text ?? '');
    if (cut !== undefined) {
      const hint = 'if "#" belongs to the value, quote the value';
      this.#diagnostics.warn('a comment begins here, inside a word', line.at(cut), hint);
    }
    if (name?.text === '---')
      this.#diagnostics.error('"---" begins a YAML file, but this is read as INI', line.at(0), 'name the file .yml');
    else if (name?.text.includes('=') === true || rest[0]?.text.startsWith('=') === true)
      this.#diagnostics.error(
        'this line sets a variable, but names no controller',
        line.at(0),
        `the variables of a group have a section of their own: [${group === 'ungrouped' ? 'all' : group}:vars]`,
      );
    else if (expansion.type === 'problem') this.#diagnostics.error(expansion.message, line.at(0), expansion.hint);
    else {
      const assignments: Assignment[] = [];
      for (const word of rest) this.#variable(readAssignment(word, line), assignments);
      for (const one of expansion.names)
        this.builder.addController(one, group, this.origin, () => line.at(0), expansion.port);
      this.builder.addControllerVariables(expansion.names, gather(assignments), this.origin);
    }
  }

  #variable(assignment: Assignment | BadAssignment, to: Assignment[]): void {
    const { line, offset } = assignment;
    if ('message' in assignment) this.#diagnostics.error(assignment.message, line.at(offset), assignment.hint);
    else {
      const { name } = assignment;
      if (to.some((one) => one.name === name))
        this.#diagnostics.warn(`"${name}" is set twice here; the last one counts`, line.at(offset));
      to.push(assignment);
    }
  }

  #child(line: IniLine, parent: string): void {
    const child = GROUP_NAME.exec(line.text)?.[1];
    if (child === undefined) this.#diagnostics.error('expected the name of a group', line.at(0));
    else if (!this.builder.groups.has(child)) {
      this.#await(child, line.at(0), `[${parent}:children] includes a group that is not defined: ${child}`);
      this.#pending.get(child)?.parents.push(parent);
    } else {
      this.builder.addChild(parent, child, () => line.at(0));
    }
  }

  #await(group: string, place: Source, message: string): void {
    if (!this.#pending.has(group)) this.#pending.set(group, { place, message, parents: [] });
  }

  /** A declared group becomes a child of all groups that listed it. This gives Ansible's order of children. */
  #declare(group: string, line: IniLine): void {
    const pending = this.#pending.get(group);
    this.#pending.delete(group);
    for (const parent of pending?.parents ?? [])
      this.builder.addChild(parent, group, () => pending?.place ?? line.at(1));
  }
}

function isKind(text: string): text is SectionKind {
  return GROUP_SECTIONS.some((kind) => kind === text);
}

interface Assignment {
  readonly name: string;
  readonly value: Value;
  readonly line: IniLine;
  readonly offset: number;
}

interface BadAssignment extends Pick<Assignment, 'line' | 'offset'> {
  readonly message: string;
  readonly hint?: string;
}

/** `name=value` after a host name. Shell quotes are already removed. Messages do not quote it: it may be a part of a secret. */
function readAssignment({ text, offset }: ShellWord, line: IniLine): Assignment | BadAssignment {
  const at = text.indexOf('=');
  if (at > 0) return { name: text.slice(0, at), value: parseIniValue(text.slice(at + 1)), line, offset };
  const message = 'expected name=value after the controller';
  return { message, hint: 'no spaces around "="; quote values that contain spaces', line, offset };
}

/** A line of a `[group:vars]` section: the value is everything after the first `=`. */
function readVariable(line: IniLine): Assignment | BadAssignment {
  const { text } = line;
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(0, at)).trim();
  if (name !== '') return { name, value: parseIniValue(text.slice(at + 1).trim()), line, offset: 0 };
  const hint = /^[\w.-]+\s*:/.test(text) ? 'in INI, write "=" between name and value' : undefined;
  return { message: 'expected name=value', ...(hint !== undefined && { hint }), line, offset: 0 };
}

/** Collects variables; the last assignment of a name counts. No map of places: a fleet has many, and few are asked for. */
function gather(assignments: readonly Assignment[]): GivenVariables {
  return {
    values: Object.fromEntries(assignments.map(({ name, value }) => [name, value])),
    locate: ([name]) => {
      const place = assignments.findLast((one) => one.name === String(name)) ?? assignments[0];
      return place?.line.at(place.offset) ?? { file: '', line: 1, column: 1 };
    },
  };
}

function parseIniValue(text: string): Value {
  const literal = parseLiteral(text);
  return literal === undefined ? text : literal.value;
}

/** A line with content, without surrounding blanks. */
class IniLine {
  /** @param indent number of the blanks before the text */
  constructor(
    readonly text: string,
    private readonly file: string,
    private readonly line: number,
    private readonly indent: number,
  ) {}

  /** The position of a character of `text`, counted from 0. */
  at(offset: number): Source {
    return { file: this.file, line: this.line, column: this.indent + offset + 1 };
  }
}

/** The lines of an INI inventory, except empty ones and those that begin with `#` or `;`. */
function* readLines(text: string, file: string): Generator<IniLine> {
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    yield new IniLine(line, file, index + 1, raw.length - raw.trimStart().length);
  }
}
