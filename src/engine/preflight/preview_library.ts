import { Library } from '../../language/library.js';
import { BUILT_IN } from '../../language/library/index.js';
import type { Callable, CallableTable } from '../../language/runtime/callable.js';
import { NotKnownYet } from '../../language/runtime/errors.js';
import type { Plugins } from '../../language/runtime/plugins.js';

/** Project filters are not called, because they may have side effects; only their names and arguments are checked. */
export function previewLibrary({ table, withheld }: Library, unset: (name: string) => void): Library {
  return new Library(notCalling(ownFilters(table), table), withheld, { unset, readsLocal: false });
}

/** As a preview, but lookups read files. Executes nothing. */
export function readingLibrary({ table, withheld = new Set() }: Library): Library {
  return new Library(notCalling(ownFilters(table), table), withheld, { unset: () => undefined, readsLocal: true });
}

function ownFilters(table: CallableTable): readonly string[] {
  return table.filterNames().filter((name) => !BUILT_IN.has(name));
}

/** The table, with unknown results for these filters. */
export function notCalling(names: Iterable<string>, table: CallableTable): CallableTable {
  const replaced = [...names].flatMap((name): (readonly [string, Callable])[] => {
    const callable = table.filter(name);
    const run = (): never => {
      throw new NotKnownYet(`the result of ${name}`);
    };
    return callable?.type === 'function' ? [[name, { ...callable, run }]] : [];
  });
  return table.with(new Map(replaced)).withPlugins(table.plugins && notRunning(table.plugins));
}

/** The same plugins, without their results. */
function notRunning(plugins: Plugins): Plugins {
  return {
    collections: plugins.collections,
    find: (type, name, isKnown) => {
      const call = (): never => {
        throw new NotKnownYet(`the result of ${name}`);
      };
      return plugins.find(type, name, isKnown) && { call };
    },
    redirect: (type, name) => plugins.redirect(type, name),
    addFolder: (folder) => plugins.addFolder(folder),
  };
}
