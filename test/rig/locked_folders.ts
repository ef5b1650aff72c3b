import { ProjectSources } from '../../src/project/document/project_sources.js';

/** Folders that this user may not read: the tests may run as the superuser, who may read all. */
export class LockedFolders extends ProjectSources {
  override namesIn(): never {
    throw Object.assign(new Error('scandir'), { code: 'EACCES' });
  }
}
