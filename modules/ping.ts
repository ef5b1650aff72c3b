import * as Type from 'typebox';
import { defineAction } from '../src/module/contract.js';

export default defineAction({
  name: 'ping',
  summary: 'connects to the controller, signs in and reads',
  description:
    'Fails as any task would if the controller cannot be used. Registers `url`, `address` (null behind a proxy), `route`, `tls` (`protocol`, `issuer`, `expires`, `days_left`), `username`, `sign_in` (`basic` or `session`), `api_version` (of the requests), `version` (the controller’s own, in dialects that show it), `tenant` and `milliseconds`, the time of one request. `evenkeel ping` does the same for a fleet, without a playbook.',
  args: Type.Object(
    { data: Type.String({ default: 'pong', description: 'What is registered as `ping`.' }) },
    { additionalProperties: false },
  ),
  examples: [
    `
- name: Reach the controller
  ping:
  register: reached

- name: Renew the certificate in time
  assert:
    that: reached.tls.days_left > 30
`,
  ],
  check: true,
  run: async ({ data }, context) => {
    const { failure, tls, ...others } = await context.ping(true);
    if (failure !== null) throw failure.error;
    return { status: 'ok', values: { ping: data, ...others, tls: tls === null ? null : { ...tls } } };
  },
});
