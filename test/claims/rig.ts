import { ClaimFolder } from '../../src/claims/claim_folder.js';
import { Claims, type ClaimsOptions } from '../../src/claims/claims.js';
import { ownIdentity } from '../../src/claims/process_identity.js';
import type { Holder } from '../../src/claims/claim.js';

export function holder(run: string, process: Partial<Holder['process']> = {}): Holder {
  const since = '2026-11-21T18:45:18.000Z';
  return { run, process: { ...ownIdentity(), ...process }, user: 'alice', command: 'evenkeel run site.yml', since };
}

/** The claims of a run, as if it were a process of its own. */
export async function claimsOf(folder: string, run: string, options: Partial<ClaimsOptions> = {}): Promise<Claims> {
  const opened = await ClaimFolder.open(folder, { own: false });
  return new Claims({ folder: opened, holder: holder(run), ...options });
}
