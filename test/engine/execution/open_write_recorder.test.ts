import { expect } from 'chai';
import type { PastWrite } from '../../../src/core/model/run/past.js';
import { Connection } from '../../../src/engine/controllers/connection.js';
import type { TaskSession } from '../../../src/engine/controllers/task_session.js';
import { requireSameConnection } from '../../../src/engine/execution/open_write_recorder.js';
import { settingsOf } from '../../rig/controllers.js';
import { anIntent } from '../../rig/kept.js';

type Written = PastWrite['intent']['connection'];

const URL = 'https://lb1.example.com';
const OTHER = { id: 'other', url: 'https://lb9.example.com', variables: {} };

function session(tenant?: string, written?: Written): TaskSession {
  const settings = settingsOf(URL, undefined, { tenant });
  const connection = new Connection(
    settings,
    () => undefined,
    URL,
    true,
    false,
    () => written,
  );
  return { target: 'lb1', connection: () => Promise.resolve(connection) } as TaskSession;
}

function write(tenant?: string, connection?: Written): PastWrite {
  return { intent: { write: 1, ...anIntent({ tenant, connection }) }, outcome: 'unknown' };
}

const refusal = async (writes: readonly PastWrite[], now: TaskSession): Promise<unknown> =>
  requireSameConnection(writes, now).catch((error: unknown) => error);

describe('a write from before an interrupt', () => {
  it('may be continued at the same controller, in the same tenant, or without a connection', async () => {
    const nowhere = { target: 'lb1', connection: () => Promise.resolve(undefined) } as TaskSession;
    for (const [writes, now] of [
      [[], session('blue', OTHER)],
      [[write(), write()], session()],
      [[write('blue')], session('blue')],
      [[write(undefined, OTHER)], session(undefined, { ...OTHER, url: URL })],
      [[write('blue', OTHER)], nowhere],
    ] as const)
      expect(await refusal(writes, now)).to.equal(undefined);
  });

  it('is refused at another controller, as another user, or in another tenant, also if it is not the first', async () => {
    const restore =
      'restore the connection variables; or check the controller, then do the rest with a separate playbook';
    const restoreTenant =
      'restore controller_tenant; or check the controller, then do the rest with a separate playbook';
    const sent = 'POST /api/cloud/ was sent';
    for (const [writes, now, message, hint] of [
      [
        [write(), write(undefined, OTHER)],
        session(),
        `${sent} to ${OTHER.url} before the run was cut off, but this task now connects to ${URL}`,
        restore,
      ],
      [
        [write()],
        session(undefined, OTHER),
        `${sent} to lb1 before the run was cut off, but this task now connects to ${URL}`,
        restore,
      ],
      [
        [write(undefined, { ...OTHER, url: URL })],
        session(),
        `${sent} to ${URL} before the run was cut off, but this task now connects to ${URL} as another user or with other headers`,
        restore,
      ],
      [
        [write('blue'), write('red')],
        session('blue'),
        `${sent} in tenant "red" before the run was cut off, but this task now acts in tenant "blue"`,
        restoreTenant,
      ],
      [
        [write('red')],
        session(),
        `${sent} in tenant "red" before the run was cut off, but this task now acts without a tenant`,
        restoreTenant,
      ],
    ] as const)
      expect(await refusal(writes, now)).to.deep.include({ message, hint });
  });
});
