import type { Socket } from 'node:net';
import {
  NetworkRefusal,
  openSocket,
  parseHostAndPort,
  type HostAndPort,
} from '../../controller/transport/confinement.js';
import { routeLabel } from '../../core/model/inventory/route.js';
import type { TaskSession } from '../controllers/task_session.js';
import type { RunInput } from '../input/run_input.js';
import { TaskProblem } from '../keywords/failed_result.js';

/** A connection of a task. The simulated controller must be started before its address works. */
export async function socketTo(
  to: HostAndPort,
  { identity: { simulated }, connections: { confine, openTunnel } }: Pick<RunInput, 'identity' | 'connections'>,
  session: TaskSession,
): Promise<Socket> {
  if (simulated) await session.prepare();
  else requireSimulated(to, session);
  const settings = (await session.connection())?.settings;
  const route = routeLabel(settings?.route);
  try {
    if (settings !== undefined && route !== undefined && confine === undefined && openTunnel !== undefined)
      return await openTunnel(settings, to);
    return openSocket(to, confine, route);
  } catch (error) {
    throw error instanceof NetworkRefusal ? new TaskProblem(error.message, undefined, error.hint) : error;
  }
}

/** The settings of a controller that is not simulated are refused, but its address is known without them. */
function requireSimulated({ host, port }: HostAndPort, { target, variables }: TaskSession): void {
  const simulated = variables.get('controller_simulated_url') ?? null;
  if (simulated === null) return;
  const own = typeof simulated === 'string' && URL.canParse(simulated) ? parseHostAndPort(simulated) : undefined;
  if (host === own?.host && port === own.port) return;
  const message = `${host}:${port} is not the simulated controller of ${target}`;
  throw new TaskProblem(message, undefined, 'an inventory of simulated controllers allows no other addresses');
}
