import * as Type from 'typebox';
import { asError, defineAction, type ActionContext, type ActionResult, type Mapping } from '../src/module/contract.js';
import { closedObject } from '../src/module/schema.js';

const args = closedObject({
  password: Type.String({ minLength: 1, secret: true, expects: 'text', description: 'The new password of the user.' }),
  old_password: Type.Optional(
    Type.String({
      minLength: 1,
      secret: true,
      expects: 'text',
      description: 'The current password, such as the published default of a new controller.',
    }),
  ),
  username: Type.Optional(
    Type.String({
      minLength: 1,
      expects: 'a name',
      connection: 'controller_username',
      description: 'The user; default: `controller_username`.',
    }),
  ),
});

const PATH = '/api/useraccount';

export default defineAction({
  name: 'user_password',
  summary: 'makes sure that the user who signs in has the given password',
  description:
    'Signs in with `password` first. If the controller rejects that, signs in with `old_password` and changes the password. Tries each of the two once in a run, so that no account is locked. The rest of the run signs in with the new password, even if the variables differ. A rollback cannot restore the old password. The API document does not promise that passwords can be changed.',
  args,
  examples: [
    `
- name: The controller no longer has its first password
  user_password:
    password: "{{ controller_password }}"
    old_password: "{{ first_password }}"
`,
  ],
  check: true,
  writes: true,
  run: ensurePassword,
});

interface WantedAccount {
  readonly password: string;
  readonly old_password?: string | undefined;
  /** Fields of the account that are sent with a new password. */
  readonly profile?: Mapping | undefined;
}

/** Makes the password of the user valid, and the one that the run signs in with. */
export function ensurePassword(account: WantedAccount, context: ActionContext): Promise<ActionResult> {
  return context.aloneWithAccount(() => ensureAlone(account, context));
}

async function ensureAlone(
  { password, old_password: old, profile }: WantedAccount,
  context: ActionContext,
): Promise<ActionResult> {
  const { username: user, auth } = await context.account();
  if (await context.signIn(password))
    return { status: 'ok', message: 'the password is as declared', effect: { type: 'password' } };
  if (old === undefined)
    return {
      status: 'failed',
      message: `the controller refuses the password of "${user}", and there is no old_password`,
    };
  if (context.checkMode) return changed(user, false);
  const hint =
    auth === 'basic' ? '; if Basic authentication is off at the controller, set controller_auth: session' : '';
  if (!(await context.signIn(old)))
    return {
      status: 'failed',
      message: `the controller refuses both passwords of "${user}"; neither is tried again in this run${hint}`,
    };
  return (await change(user, { password, old_password: old, profile }, context)) ?? changed(user, true);
}

/**
 * Undefined if the password was changed. A sign-in decides this, because the reply can get lost, and the controller
 * then refuses the repeated request.
 */
async function change(
  user: string,
  { password, old_password, profile }: WantedAccount & { readonly old_password: string },
  context: ActionContext,
): Promise<ActionResult | undefined> {
  const body = { ...profile, username: user, password, old_password };
  let said = '';
  let lost: Error | undefined;
  try {
    const answer = await context.request({ method: 'PUT', path: PATH, body, looked: true });
    if (answer.status >= 300 || answer.denied === true)
      said = `PUT ${PATH} answered ${answer.status}${answer.says === undefined ? '' : `: ${answer.says}`}`;
  } catch (error) {
    lost = asError(error);
  }
  if (await context.signIn(password, 'changed')) return undefined;
  if (said !== '') return { status: 'failed', message: said };
  if (lost !== undefined) throw lost;
  return { status: 'failed', message: `PUT ${PATH} succeeded, but the controller still refuses the new password` };
}

function changed(user: string, isDone: boolean): ActionResult {
  const object = `password of "${user}"`;
  return {
    status: 'changed',
    message: `the password ${isDone ? 'was' : 'would be'} changed`,
    change: { kind: 'invoke', object, before: null, after: null },
    ...(isDone && { effect: { type: 'password' } as const }),
  };
}
