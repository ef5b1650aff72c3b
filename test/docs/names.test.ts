import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../rig/command.js';

interface Declared {
  readonly name: string;
  readonly file: string;
  readonly isExported: boolean;
}

/** What every file of the sources declares at its top level, if it looks like this. */
function declared(pattern: RegExp): readonly Declared[] {
  return ['src', 'modules'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => {
        const file = path.join(folder, name);
        return [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(pattern)].map(({ groups }) => ({
          name: groups?.['name'] ?? '',
          file,
          isExported: groups?.['exported'] !== undefined,
        }));
      }),
  );
}

/** A name that needs its file to be understood is not a name yet. */
describe('names of the sources', () => {
  it('mean one thing: a type that other files use shares its name with no other type', () => {
    const types = declared(
      /^(?<exported>export )?(?:declare )?(?:abstract )?(?:interface|type|class|enum) (?<name>\w+)/gm,
    );
    const isShared = ({ name, file, isExported }: Declared): boolean =>
      isExported && types.some((other) => other.name === name && other.file !== file);
    expect(types.filter(isShared).map(({ name, file }) => `${file}: ${name}`)).to.deep.equal([]);
  });

  it('say what a function does, not whose value it returns', () => {
    const functions = declared(
      /^ {0,4}(?<exported>export )?(?:async )?(?:function\*?|const|#|static|private|get)? ?#?(?<name>(?:[a-z]\w*O|o)f)(?: = (?:async )?\(|(?:<[^>]*>)?\([^;]*\{$)/gm,
    );
    const others = functions.filter(({ name }) => !name.endsWith('OneOf'));
    expect(others.map(({ name, file }) => `${file}: ${name}`)).to.deep.equal([]);
  });

  it('mean one thing: two files do not export functions, or constants, of one name', () => {
    // What programs call has the names of commands, and each module with kinds has the same port.
    const shared = declared(
      /^(?<exported>export )(?:(?:async )?function\*?|const(?= [A-Z_\d]+\b)) (?<name>\w+)/gm,
    ).filter(({ name, file }) => !file.startsWith(path.join('src', 'library')) && name !== 'withKinds');
    const isShared = ({ name, file }: Declared): boolean =>
      shared.some((other) => other.name === name && other.file !== file);
    expect(shared.filter(isShared).map(({ name, file }) => `${file}: ${name}`)).to.deep.equal([]);
  });
});
