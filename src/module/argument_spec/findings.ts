import type { FieldPath } from '../../model/source/field_path.js';
import type { Value } from '../../model/values/value.js';
import { isList, isMapping } from '../../model/values/value.js';

/** Something wrong with an argument. */
export interface ArgumentError {
  /** Of the argument, from the outermost in. */
  readonly path: FieldPath;
  readonly message: string;
}

/** Collects problems while arguments are compared with their specification. */
export class Findings {
  readonly errors: ArgumentError[] = [];
  readonly warnings: string[] = [];
  /** Texts that `no_log` masks. */
  readonly secrets = new Set<string>();

  error(path: FieldPath, message: string, around: FieldPath): void {
    const where = around.length === 0 ? '' : ` found in ${contextText(around)}`;
    this.errors.push({ path, message: `${message}${where}` });
  }

  hide(value: Value | undefined): void {
    if (typeof value === 'string' || typeof value === 'number') this.secrets.add(String(value));
    else if (isList(value)) for (const item of value) this.hide(item);
    else if (isMapping(value)) for (const item of Object.values(value)) this.hide(item);
  }
}

/** `outer -> items[0]` */
function contextText(around: FieldPath): string {
  return around.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : `${text} -> ${step}`;
  }, '');
}
