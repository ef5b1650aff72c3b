import { LazyMapping } from '../../model/values/value.js';

class Omit extends LazyMapping {
  get(): undefined {
    return undefined;
  }

  keys(): readonly string[] {
    return [];
  }
}

/** The value of the variable `omit`: a key or list item with this value is left out, as if it had never been written. */
export const OMIT: LazyMapping = new Omit();
