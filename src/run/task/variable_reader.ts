import type { Locate } from '../../model/source/source.js';
import type { Mapping } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { TaskRun } from './task_run.js';

/** The files of variables that one action reads (`include_vars`), and where in them a variable stands. */
export class VariableReader {
  readonly #read: VariableLayer[] = [];

  constructor(private readonly run: TaskRun) {}

  async read(file: string): Promise<Mapping | undefined> {
    const { input, secrets } = this.run.context.run;
    const layer = await input.readVariables(file);
    if (layer === undefined) return undefined;
    secrets.learnWritten([layer]);
    this.#read.push(layer);
    return layer.values;
  }

  /** The variables that the action made of what it read. */
  layer(values: Mapping): VariableLayer {
    const isSecret = this.#read.some(({ secret }) => secret === true);
    const layer: VariableLayer = { level: 'include_vars', origin: 'include_vars', values, locate: this.#locate };
    return isSecret ? { ...layer, secret: true } : layer;
  }

  /** With `name`, what a file has stands one step further in. */
  readonly #locate: Locate = (path) => {
    for (const inside of [path, path.slice(1)]) {
      const [name] = inside;
      const file = this.#read.findLast(({ values }) => name !== undefined && Object.hasOwn(values, name));
      if (file?.locate !== undefined) return file.locate(inside);
    }
    return this.run.task.source;
  };
}
