import { isAbsolute, relative, resolve } from 'node:path';
import type { Diagnostic, Source } from '../../core/model/source/diagnostic.js';
import type { FailureGroup } from '../run/failures/failure_group.js';
import { inRoutes } from '../run/routes.js';
import { oneLine, plain } from '../text/plain.js';

/** Workflow commands of GitHub Actions: groups that fold, and annotations at lines of files. */
export class GithubCommands {
  constructor(
    private readonly workspace: string,
    private readonly cwd: string,
    private readonly mask = (text: string): string => text,
  ) {}

  group(title: string): string {
    return `::group::${data(oneLine(title))}`;
  }

  endGroup(): string {
    return '::endgroup::';
  }

  /**
   * One annotation per cause, at its position. A job shows only the first ten.
   *
   * @param names of the controllers
   */
  error(group: FailureGroup, names: string): string {
    const on = `${names}${inRoutes(new Set(group.routes.keys()))}`;
    return `::error ${this.#place(group.cause ?? group.source)},title=${property(oneLine(group.task))}::${data(plain(`${group.message} (${on})`))}`;
  }

  warning(message: string, source: Source | undefined): string {
    return `::warning${source === undefined ? '' : ` ${this.#place(source)}`}::${data(plain(message))}`;
  }

  /** One annotation for a diagnostic, titled with its rule. */
  diagnostic({ severity, message, source, hint, rule }: Diagnostic): string {
    const properties = [
      ...(source === undefined ? [] : [this.#place(source)]),
      ...(rule === undefined ? [] : [`title=${property(rule)}`]),
    ].join(',');
    const text = hint === undefined ? message : `${message} (${hint})`;
    return `::${severity}${properties === '' ? '' : ` ${properties}`}::${data(plain(text))}`;
  }

  #place({ file, line, column }: Source): string {
    const path = relative(this.workspace, resolve(this.cwd, file));
    const shown = path.startsWith('..') || isAbsolute(path) ? file : path;
    return `file=${property(this.mask(shown))},line=${line},col=${column}`;
  }
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
