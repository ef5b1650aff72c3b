import type { Static } from 'typebox';
import type { Kind } from '../../src/kinds/kind_table.js';
import { completeCreate, matchHints, structureSchema } from '../../src/module/arguments/kind_schema.js';
import { absentMember, collectionMember, singleton } from '../../src/module/collection.js';
import { declaration, type Desired } from '../../src/module/comparison/desired.js';
import { defineResource, type Module, type Plan } from '../../src/module/contract.js';
import { KIND_ARGUMENTS } from './arguments.js';
import { writeExample } from './example.js';

type MemberArgs = Static<typeof KIND_ARGUMENTS.member>;
type AbsentArgs = Static<typeof KIND_ARGUMENTS.absent>;
type SingleArgs = Static<typeof KIND_ARGUMENTS.single>;

/** `pool_present`, `virtualservice_present`, …: the module that declares objects of a kind. */
export function presentModule(kind: Kind): Module {
  return kind.single ? singleModule(kind) : memberModule(kind);
}

function memberModule(kind: Kind): Module {
  const { name: word, path, structure } = kind;
  const member = collectionMember((given: MemberArgs) => ({
    object: `${word} "${given.name}"`,
    path,
    name: given.name,
    structure: () => structure,
    ...declaration(given),
  }));
  return defineResource({
    name: `${word}_present`,
    kind: word,
    summary: `makes sure that ${withArticle(word)} exists and has the declared fields`,
    description: `Looks the ${word} up by its exact name${WHERE[kind.scope]}. Creates it if it does not exist, updates it if a declared field differs, and keeps every other field. Fields are checked before the first request: a name or value that looks like a typo is an error; other unknown fields and values are passed on.`,
    args: KIND_ARGUMENTS.member,
    hints: structureSchema(structure),
    examples: [writeExample(kind, `${word}_present`)],
    ...member,
    plan: (given: MemberArgs, observed): Plan => completeCreate(kind, member.plan(given, observed)),
  });
}

const WHERE: Readonly<Record<Kind['scope'], string>> = {
  controller: '',
  tenant: ' in its tenant',
  cloud: ' in its tenant and cloud',
};

function singleModule(kind: Kind): Module {
  const { name: word, path, structure } = kind;
  return defineResource({
    name: `${word}_present`,
    kind: word,
    summary: `sets the declared fields of the ${word}, which every controller has once`,
    description: `Reads the ${word}, compares the declared fields, and writes the whole object back with the differing ones changed. Fields are checked before the first request: a name or value that looks like a typo is an error; other unknown fields and values are passed on.`,
    args: KIND_ARGUMENTS.single,
    hints: structureSchema(structure),
    examples: [writeExample(kind, `${word}_present`)],
    ...singleton((given: SingleArgs): Desired => ({
      object: word,
      path,
      structure: () => structure,
      ...declaration(given),
    })),
  });
}

/** `pool_absent`, `virtualservice_absent`, …: the module that deletes objects of a kind. */
export function absentModule(kind: Kind): Module {
  const { name: word, path, scope } = kind;
  return defineResource({
    name: `${word}_absent`,
    kind: word,
    summary: `makes sure that ${withArticle(word)} does not exist`,
    description: `Looks the ${word} up by its exact name${WHERE[scope]} and deletes it. A controller rejects this while other objects refer to the object; the message names them. A rollback creates the object again, with another uuid.`,
    args: KIND_ARGUMENTS.absent,
    hintsFor: (given) => matchHints(given, () => kind),
    examples: [`\n- name: The old ${word} is gone\n  ${word}_absent:\n    name: web\n`],
    ...absentMember(({ name, match }: AbsentArgs) => ({ object: `${word} "${name}"`, path, name, match })),
  });
}

/** `a pool`, `an image`. */
function withArticle(word: string): string {
  return `${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`;
}
