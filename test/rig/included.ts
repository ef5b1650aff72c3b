import { expect } from 'chai';
import type { Include, Included } from '../../src/core/model/playbook/step.js';
import { LoadError } from '../../src/core/model/source/diagnostic.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { Files } from './folder.js';
import { load, playOf, tasksOf } from './loaded.js';

/** The include that is the first step of a task list, while its files are there. */
export async function included(
  text: string,
  files: Files,
  use: (read: (args: Mapping) => Promise<Included>, include: Include) => Promise<void>,
): Promise<void> {
  const { diagnostics } = await load(playOf(text), files, undefined, {
    use: async ({ plays }) => {
      const [include] = tasksOf(plays[0]);
      if (include?.type === 'include') await use((args) => include.read(args), include);
      else expect.fail('no include');
    },
  });
  expect(diagnostics).to.deep.equal([]);
}

/** What a read fails with, as `place message — hint`. */
export async function refusal(reading: Promise<unknown>): Promise<string> {
  try {
    await reading;
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    const { source, message, hint } = error;
    const place = source === undefined ? '' : `${source.file}:${source.line}:${source.column} `;
    return `${place}${message}${hint === undefined ? '' : ` — ${hint}`}`;
  }
  return 'it was read';
}
