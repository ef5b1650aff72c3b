import { spawn } from 'node:child_process';
import { workerData } from 'node:worker_threads';

// The thread of `shell.ts`: runs one command after another.
const { port, flags, guard } = workerData;
const MOST = 64 << 20;
Atomics.store(flags, 2, 1);
port.on('message', ({ command, cwd }) => {
  let isOver = false;
  const end = (message) => {
    if (isOver) return;
    isOver = true;
    port.postMessage(message);
    Atomics.store(flags, 0, 1);
    Atomics.notify(flags, 0);
  };
  try {
    const child = spawn('/bin/sh', ['-c', guard, command], {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    Atomics.store(flags, 1, child.pid ?? 0);
    const gathered = [child.stdout, child.stderr].map((stream) => {
      const chunks = [];
      let size = 0;
      stream.on('data', (chunk) => {
        size += chunk.length;
        if (size <= MOST) return chunks.push(chunk);
        process.kill(-child.pid);
        end({ problem: 'it prints more than 64 MiB' });
      });
      return chunks;
    });
    child.stdio[3].on('error', () => undefined);
    child.on('error', (error) => end({ problem: error.message, status: error.code }));
    child.on('close', (status, signal) => {
      const [output, stderr] = gathered.map((chunks) => Buffer.concat(chunks));
      end(status === 0 ? { output } : { problem: 'it ended by ' + signal, status: status ?? undefined, stderr });
    });
  } catch (error) {
    // The command is too long for the system, say: it was not started, and the process waits for it.
    end({ problem: error.message, status: error.code });
  }
});
