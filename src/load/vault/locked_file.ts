import type { LoadError } from '../../model/source/load_error.js';
import { NotKnownYet } from '../../template/runtime/errors.js';

/** Before a run: the value may be in an encrypted file whose password only the site of the controller has. */
export class LockedFile extends NotKnownYet {
  constructor(readonly reason: LoadError) {
    super(reason.message);
  }
}
