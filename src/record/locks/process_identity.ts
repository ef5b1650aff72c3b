import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { isFileError } from '../../core/files/paths.js';
import { isSameMachine, type ProcessIdentity } from '../../core/model/run/process.js';
import { orElse } from '../../core/model/source/diagnostic.js';

/** `elsewhere`: on another machine or in another container, whose processes cannot be seen from here. */
export type Life = 'alive' | 'gone' | 'elsewhere';

export function ownIdentity(): ProcessIdentity {
  const { pid } = process;
  const boot = read('/proc/sys/kernel/random/boot_id')?.trim();
  const space = orElse(undefined, () => readlinkSync('/proc/self/ns/pid'));
  return { host: hostname(), machine: machineKey(), boot, space, pid, started: readStart(pid)?.started };
}

/** machine-id(5): a secret of the machine, so only a hash of it may leave it. While the machine is set up, the file has other words. */
function machineKey(): string | undefined {
  const id = /^[0-9a-f]{32}$/m.exec(read('/etc/machine-id') ?? '')?.[0];
  return id && hash('sha256', `evenkeel ${id}`, 'base64url');
}

/** The user of this process. In a container the user may have no name. */
export function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}

/** @param own the identity of the calling process */
export function judgeLife(other: ProcessIdentity, own: ProcessIdentity): Life {
  if (!isSameMachine(other, own)) return 'elsewhere';
  if (other.boot !== own.boot) return 'gone';
  if (other.space !== own.space) return 'elsewhere';
  if (!isRunning(other.pid)) return 'gone';
  const now = readStart(other.pid);
  if (now === undefined) return 'alive';
  if (now.ended) return 'gone';
  return other.started === undefined || other.started === now.started ? 'alive' : 'gone';
}

/** EPERM: the process exists but belongs to another user. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isFileError(error, 'EPERM');
  }
}

interface ProcessStart {
  readonly started: string;
  /** A zombie: it ended, but its parent has not collected its exit code yet. */
  readonly ended: boolean;
}

/** Returns undefined if the system does not say. */
function readStart(pid: number): ProcessStart | undefined {
  return process.platform === 'linux' ? startOnLinux(pid) : startByList(pid);
}

/** proc(5): the name in parentheses may contain anything; after it, the state is the first field and the start time the twentieth. */
function startOnLinux(pid: number): ProcessStart | undefined {
  const line = read(`/proc/${pid}/stat`);
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ');
  const started = fields?.[19];
  return started === undefined ? undefined : { started, ended: fields?.[0] === 'Z' || fields?.[0] === 'X' };
}

function startByList(pid: number): ProcessStart | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
    const printed = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { env, encoding: 'utf8' }).trim();
    const [state = '', ...started] = printed.split(/\s+/);
    return started.length === 0 ? undefined : { started: started.join(' '), ended: state.startsWith('Z') };
  } catch {
    return undefined;
  }
}

function read(file: string): string | undefined {
  return orElse(undefined, () => readFileSync(file, 'latin1'));
}
