import type { Structure } from '../../src/kinds/kind_table.js';

/** Whether an object of the structure can exist only after another, to which it refers. */
export function needsOthers({ required, fields }: Structure): boolean {
  return required.some((name) => {
    const inner = fields.get(name)?.structure;
    return /_refs?$/.test(name) || (inner !== undefined && needsOthers(inner));
  });
}
