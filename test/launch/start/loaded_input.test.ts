import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { answersTo } from '../../../src/launch/load/answers.js';
import { loadRun } from '../../../src/launch/load/load_run.js';
import { selectPlays } from '../../../src/launch/load/prepared_run.js';
import type { RunRequest } from '../../../src/launch/request/run_request.js';
import { sharedInput } from '../../../src/launch/start/loaded_input.js';
import { inFolder } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

const FILES = {
  'p.yml': '- { hosts: all, tasks: [{ debug: , tags: a }] }\n',
  'inv.yml': 'all: { hosts: { lb1: , lb2: } }\n',
  'evenkeel.yml': 'environments: { prod: { inventory: inv.yml } }\n',
  'vars/one.yml': 'a: 1\n',
  'vars/wrong.yml': 'a: [\n',
};

/** The input of a run, with what it was loaded from. */
function shared<T>(
  given: Partial<RunRequest>,
  use: (input: ReturnType<typeof sharedInput>, loaded: Awaited<ReturnType<typeof loadRun>>, cwd: string) => T,
): Promise<T> {
  return inFolder(FILES, async (cwd) => {
    const diagnostics = new Diagnostics();
    const request = { command: { type: 'run', playbooks: ['p.yml'] }, ...given } as const;
    const loaded = await loadRun({ type: 'files', files: ['p.yml'] }, request, { cwd, env: {} }, diagnostics);
    if (loaded === undefined) throw new Error(diagnostics.list.map(worded).join('\n'));
    const answers = await answersTo(loaded, () => Promise.resolve({ type: 'unanswered' }), diagnostics);
    const selected = selectPlays(loaded, { answers }, diagnostics);
    return use(sharedInput({ request, loaded, selected, answers }, { cwd, version: '1.2.3' }), loaded, cwd);
  });
}

describe('the input of a run', () => {
  it('says what runs, where, and what of it', () =>
    shared({ env: 'prod', limit: 'lb2', tags: ['a'], skipTags: ['b'], startAtTask: 'debug' }, (input, loaded, cwd) => {
      const { identity, selection, connections, sources } = input;
      expect(identity).to.deep.equal({
        version: '1.2.3',
        environment: 'prod',
        environmentName: 'prod',
        projectFile: path.join(cwd, 'evenkeel.yml'),
        inventorySources: [path.join(cwd, 'inv.yml')],
      });
      const { plays, limit, ...rest } = selection;
      expect(plays.map(({ controllers }) => controllers)).to.deep.equal([['lb2']]);
      expect([[...(limit ?? [])], rest]).to.deep.equal([
        ['lb2'],
        {
          limitPattern: 'lb2',
          shard: undefined,
          isPartial: undefined,
          tags: ['a'],
          skipTags: ['b'],
          startAtTask: 'debug',
        },
      ]);
      expect(Object.keys(connections.settingSources)).to.have.members(['readCa', 'dialects', 'routes']);
      expect(connections.settingSources.dialects.has('avi')).to.equal(true);
      const { readVariables: _, ...known } = sources;
      expect(known).to.deep.equal({
        playbooks: loaded?.playbooks,
        inventory: loaded?.target.inventory,
        extraVars: loaded?.target.extraVars,
        answers: new Map(),
        catalogue: loaded?.catalogue,
        library: loaded?.target.library,
        secrets: loaded?.target.secrets,
      });
      expect(known.library).to.not.equal(undefined);
    }));

  it('has no tags and no limit if none are asked for, and the name of the environment whose inventory it has', () =>
    shared({ inventory: ['inv.yml'] }, ({ identity, selection }) => {
      expect([identity.environment, identity.environmentName]).to.deep.equal([undefined, 'prod']);
      expect(selection).to.deep.include({ limit: undefined, limitPattern: undefined, tags: [], skipTags: [] });
    }));

  it('reads files of variables that only controllers can name, each once, and says which is wrong', () =>
    shared({ inventory: ['inv.yml'] }, async ({ sources: { readVariables } }, _, cwd) => {
      const file = path.join(cwd, 'vars/one.yml');
      const [first, again] = [readVariables(file), readVariables(file)];
      expect(first).to.equal(again);
      expect((await first)?.values).to.deep.equal({ a: 1 });
      await writeFile(file, 'a: 2');
      const [before, saved] = [readVariables(file), readVariables(file, true)];
      expect([(await before)?.values, (await saved)?.values]).to.deep.equal([{ a: 1 }, { a: 2 }]);
      for (const hasSaved of [true, false]) expect(readVariables(file, hasSaved)).to.equal(saved);
      expect(await readVariables(path.join(cwd, 'vars/none.yml'))).to.equal(undefined);
      const wrong = await readVariables(path.join(cwd, 'vars/wrong.yml')).catch((error: unknown) => error);
      expect(wrong).to.be.instanceOf(Error);
      expect(wrong).to.have.nested.property('source.file', 'vars/wrong.yml');
    }));
});
