import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Library } from '../../src/language/library.js';
import { BUILT_IN } from '../../src/language/library/index.js';
import { openPlugins } from '../../src/language/plugins/python_plugins.js';
import { Variables } from '../../src/language/scope.js';
import { median } from '../measure.js';
import { milliseconds, type Row } from '../row.js';

const STARTS = 15;
const CALLS = 5000;
const ROUNDS = 5;
const START_LIMIT = 120;
/** Milliseconds. */
const CALL_LIMIT = 0.15;

const PLUGIN = `class FilterModule:
    def filters(self):
        return {'mark': lambda value, suffix='': value + suffix}
`;

/** What a filter in Python costs: the start with the first call, and each further one. */
export async function pythonRows(): Promise<readonly Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-bench-'));
  const file = path.join(folder, 'own.py');
  try {
    await writeFile(file, PLUGIN);
    const env = { ...process.env, ANSIBLE_FILTER_PLUGINS: folder };
    const starts: number[] = [];
    let render = renderer(env, folder);
    for (let turn = 0; turn < STARTS; turn += 1) {
      render = renderer(env, folder);
      starts.push(
        timed(() => {
          render('first');
        }),
      );
    }
    const rounds = Array.from({ length: ROUNDS }, (_, round) =>
      timed(() => {
        for (let call = 0; call < CALLS; call += 1) render(`${round}-${call}`);
      }),
    );
    const [start, each] = [median(starts), median(rounds) / CALLS];
    return [
      {
        what: 'filter in Python: start, with the first call',
        measured: milliseconds(start),
        against: `limit: ${START_LIMIT} ms`,
        ratio: start / START_LIMIT,
        budget: 1,
      },
      {
        what: 'filter in Python: each further call',
        measured: `${Math.round(each * 1000)} µs`,
        against: `limit: ${CALL_LIMIT * 1000} µs`,
        ratio: each / CALL_LIMIT,
        budget: 1,
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Renders a template that calls the filter. Its Python starts with the first call. */
function renderer(env: NodeJS.ProcessEnv, folder: string): (text: string) => void {
  const plugins = openPlugins({ directories: [], env, cwd: folder, isTrusted: () => true }, true);
  const library = new Library(BUILT_IN.withPlugins(plugins));
  const evaluate = library.template('{{ value | mark(suffix="!") }}');
  return (value) => {
    const layer = { level: 'task vars', origin: 'bench', values: { value } } as const;
    const result = evaluate({ scope: new Variables([layer], undefined, undefined, library), block: undefined });
    if (result !== `${value}!`) throw new Error(`the filter returned ${JSON.stringify(result)}`);
  };
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
