import { expect } from 'chai';
import type { FieldPath, Source } from '../../../src/core/model/source/diagnostic.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import type { VariableLayer } from '../../../src/core/model/values/variables.js';
import type { TaskRun } from '../../../src/engine/context/task_run.js';
import { VariableReader } from '../../../src/engine/execution/variable_reader.js';

const TASK: Source = { file: 'site.yml', line: 1, column: 1 };

/** A file whose variables say where they are: `FILE` and the path in it. */
function file(name: string, values: Mapping, more: Partial<VariableLayer> = {}): VariableLayer {
  const locate = (path: FieldPath): Source => ({ file: `${name} ${path.join('.')}`, line: 2, column: 1 });
  return { level: 'vars_files', origin: name, values, locate, ...more };
}

const FILES = [
  file('a', { one: 1, both: 1 }),
  file('b', { two: { deep: 2 }, both: 2 }),
  file('c', { hidden: 3 }, { secret: true }),
  file('d', { nowhere: 4 }, { locate: undefined }),
];

async function read(...names: readonly string[]) {
  const learned: string[] = [];
  const saved: string[] = [];
  const run = {
    context: {
      run: {
        input: {
          sources: {
            readVariables: (name: string, hasSaved: boolean) => {
              if (hasSaved) saved.push(name);
              return Promise.resolve(FILES.find((one) => one.origin === name));
            },
          },
        },
        control: { savedFiles: new Map([['b', 'lb1']]) },
        secrets: {
          learnWritten: (layers: readonly VariableLayer[]) => learned.push(...layers.map(({ origin }) => origin)),
        },
      },
    },
    task: { source: TASK },
  } as unknown as TaskRun;
  const reader = new VariableReader(run);
  const values: unknown[] = [];
  for (const name of names) values.push(await reader.read(name));
  return { reader, values, learned, saved };
}

describe('the variables that an action reads from files', () => {
  it('are those of each file, whose secrets are learned', async () => {
    const { values, learned } = await read('a', 'none', 'c');
    expect(values).to.deep.equal([{ one: 1, both: 1 }, undefined, { hidden: 3 }]);
    expect(learned).to.deep.equal(['a', 'c']);
  });

  it('are those of now in a file that the run has saved', async () => {
    expect((await read('a', 'b', 'c')).saved).to.deep.equal(['b']);
  });

  it('are secret if one of the files is', async () => {
    const secret = async (...names: readonly string[]) => (await read(...names)).reader.factLayer({ x: 1 }).secret;
    expect([await secret(), await secret('a', 'b'), await secret('a', 'c', 'b')]).to.deep.equal([
      undefined,
      undefined,
      true,
    ]);
  });

  it('are where the last file has them, also one level deeper, else at the task', async () => {
    const { reader } = await read('a', 'b', 'd');
    const layer = reader.factLayer({ x: 1 });
    expect(layer).to.deep.include({ level: 'include_vars', origin: 'include_vars', values: { x: 1 } });
    const at = (...path: FieldPath) => layer.locate?.(path).file;
    expect([at('one'), at('both'), at('two', 'deep'), at('name', 'two', 'deep')]).to.deep.equal([
      'a one',
      'b both',
      'b two.deep',
      'b two.deep',
    ]);
    expect([at('other'), at('nowhere'), at('name'), at()]).to.deep.equal(Array(4).fill('site.yml'));
  });
});
