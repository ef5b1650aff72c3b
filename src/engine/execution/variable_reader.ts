import type { Locate } from '../../core/model/source/diagnostic.js';
import type { Mapping } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { TaskRun } from '../context/task_run.js';

/** The files of variables that an action reads (`include_vars`), and the positions of variables in them. */
export class VariableReader {
  readonly #read: VariableLayer[] = [];

  constructor(private readonly run: TaskRun) {}

  async read(file: string): Promise<Mapping | undefined> {
    const { input, secrets, control } = this.run.context.run;
    const layer = await input.sources.readVariables(file, control.savedFiles.has(file));
    if (layer === undefined) return undefined;
    secrets.learnWritten([layer]);
    this.#read.push(layer);
    return layer.values;
  }

  /** The variables that the action made of what it read. */
  factLayer(values: Mapping): VariableLayer {
    const isSecret = this.#read.some(({ secret }) => secret === true);
    const layer: VariableLayer = { level: 'include_vars', origin: 'include_vars', values, locate: this.#locate };
    return isSecret ? { ...layer, secret: true } : layer;
  }

  /** With `name`, the content of a file is one level deeper. */
  readonly #locate: Locate = (path) => {
    for (const inside of [path, path.slice(1)]) {
      const [name] = inside;
      const file = this.#read.findLast(({ values }) => name !== undefined && Object.hasOwn(values, name));
      if (file?.locate !== undefined) return file.locate(inside);
    }
    return this.run.task.source;
  };
}
