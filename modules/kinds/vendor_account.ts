import type { Static } from 'typebox';
import {
  defineAction,
  isMapping,
  type ActionContext,
  type ActionResult,
  type Mapping,
} from '../../src/module/contract.js';
import { ensurePassword } from '../user_password.js';
import { KIND_ARGUMENTS } from './arguments.js';
import { changed, isSuccess, send } from './vendor_answers.js';
import { vendorConnection } from './vendor_connection.js';

type Args = Static<typeof KIND_ARGUMENTS.account>;

/** `avi_useraccount`: changes the password of the user who signs in. */
export const userAccount = defineAction({
  name: 'avi_useraccount',
  summary: "changes the password of the user who signs in, as the vendor's collection does",
  description:
    'For playbooks of the collection `vmware.alb`: means `user_password`, with the new password in `password` or `avi_credentials`. It signs in with that first, also with `force_change`, and sends `full_name` and `email` with a new password or if they differ.',
  args: KIND_ARGUMENTS.account,
  connection: vendorConnection,
  examples: [
    `
- name: The controller no longer has its first password
  avi_useraccount:
    avi_credentials: { controller: lb1.example.com, username: admin, password: '{{vault_password}}' }
    old_password: '{{first_password}}'
`,
  ],
  check: true,
  writes: true,
  run: async (given: Args, context: ActionContext): Promise<ActionResult> => {
    const { full_name, email, old_password } = given;
    const { password, isToken = false } = await context.account();
    if (isToken || password === '')
      return {
        status: 'failed',
        message: 'there is no new password: give "password", or "password" in avi_credentials',
      };
    const profile = { ...(full_name !== undefined && { full_name }), ...(email !== undefined && { email }) };
    return ensureAccount({ password, old_password, profile }, context);
  },
});

/** A new password is sent with the other fields. Otherwise, they are sent if one differs. */
async function ensureAccount(
  wanted: Parameters<typeof ensurePassword>[0] & { readonly profile: Mapping },
  context: ActionContext,
): Promise<ActionResult> {
  const { password, profile } = wanted;
  const ensured = await ensurePassword(wanted, context);
  if (ensured.status !== 'ok' || Object.keys(profile).length === 0) return ensured;
  const seen = await context.request({ method: 'GET', path: PATH });
  if (!isSuccess(seen) || !isMapping(seen.body)) return ensured;
  const { body } = seen;
  if (Object.entries(profile).every(([name, value]) => body[name] === value)) return ensured;
  if (context.checkMode) return changed('PUT', PATH, seen);
  const { username } = body;
  return send(
    'PUT',
    { path: PATH, query: {} },
    { username: username ?? null, ...profile, password, old_password: password },
    context,
  );
}

const PATH = '/api/useraccount';
