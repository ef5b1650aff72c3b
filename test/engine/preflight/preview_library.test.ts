import { expect } from 'chai';
import { previewLibrary, readingLibrary } from '../../../src/engine/preflight/preview_library.js';
import { BUILT_IN_LIBRARY, Library } from '../../../src/language/library.js';
import { renderText } from '../../../src/language/render.js';
import { NotKnownYet } from '../../../src/language/runtime/errors.js';
import type { Plugins } from '../../../src/language/runtime/plugins.js';
import { Variables } from '../../../src/language/scope.js';
import { failure, layer } from '../../language/scopes.js';

describe('the plugins of a preview', () => {
  it('are found as in a run, and not called', () => {
    const asked: unknown[] = [];
    const plugins: Plugins = {
      collections: ['/collections'],
      find: (type, name, isKnown) => {
        asked.push([type, name, isKnown]);
        return name === 'own' || name === 'to.own' ? { call: () => 'called' } : undefined;
      },
      redirect: (_, name) => (name === 'moved' ? 'to.own' : undefined),
      addFolder: (folder) => void asked.push(folder),
      during: (evaluate) => evaluate(),
    };
    const table = BUILT_IN_LIBRARY.table.withPlugins(plugins);
    for (const library of [previewLibrary(new Library(table), () => undefined), readingLibrary(new Library(table))]) {
      const { plugins: shown } = library.table;
      expect(shown?.collections).to.deep.equal(['/collections']);
      asked.length = 0;
      void shown?.addFolder('/role');
      expect([shown?.find('filter', 'none', true), shown?.redirect('modules', 'moved'), ...asked]).to.deep.equal([
        undefined,
        'to.own',
        '/role',
        ['filter', 'none', true],
      ]);
      const scope = new Variables([layer({})], undefined, undefined, library);
      for (const [text, name] of [
        ['{{ 1 | own }}', 'own'],
        ['{{ 1 is own }}', 'own'],
        ['{{ 1 | moved }}', 'to.own'],
      ] as const) {
        const error = failure(() => renderText(text, scope));
        expect(error).to.be.instanceOf(NotKnownYet);
        expect(String(error)).to.include(`the result of ${name}`);
      }
      expect(renderText('{{ "a" | upper }}', scope)).to.equal('A');
    }
  });
});
