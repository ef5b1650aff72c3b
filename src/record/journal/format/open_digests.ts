import type { OpenWrittenSecrets, WrittenSecrets } from '../../../core/model/run/past.js';
import { getOrAdd } from '../../../core/model/values/groups.js';

/**
 * Keyed digests of the secrets that a project has written, in the state folder: one file per controller, whose name
 * and content reveal nothing without the project's key. Unreadable digests count as unknown. Few runs need them.
 */
export function openSecretDigests(stateDirectory: string, simulated: boolean): OpenWrittenSecrets {
  const opened = new Map<string, Promise<WrittenSecrets>>();
  return (place) =>
    getOrAdd(opened, place, async () => {
      const { readSecretDigests } = await import('./secret_digests.js');
      return readSecretDigests(stateDirectory, JSON.stringify([place, simulated]));
    });
}
