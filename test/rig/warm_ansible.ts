import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { ansiblePython } from './ansible.js';

const DRIVER = path.join(import.meta.dirname, 'warm_ansible.py');

interface Printed {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Driver {
  ask(question: unknown): Promise<Printed>;
  end(): Promise<void>;
}

/** One of Ansible's commands after the other, without the second that each takes to start. Call `close` in `after`. */
export class WarmAnsible {
  #driver: Driver | undefined;

  /** What the command printed; its warnings are left out. */
  async run(
    command: 'ansible-inventory' | 'ansible-playbook' | 'ansible-vault',
    args: readonly string[],
    cwd: string,
  ): Promise<string> {
    this.#driver ??= start();
    const { exit, stdout, stderr } = await this.#driver.ask({ command, arguments: args, folder: cwd });
    if (exit !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${exit} status: ${stderr}`);
    return stdout;
  }

  async close(): Promise<void> {
    await this.#driver?.end();
  }
}

/**
 * It answers in the order in which it is asked. It gets an error stream of its own: Ansible does not start when that is a
 * pipe which another process has made non-blocking, and any process with the same pipe may do so.
 */
function start(): Driver {
  const child = spawn(ansiblePython(), [DRIVER], { stdio: 'pipe' });
  const closed = once(child, 'close');
  const said = text(child.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      const line: IteratorResult<string, undefined> = await lines.next();
      if (line.value === undefined) throw new Error(`Ansible could not be driven: ${await said}`);
      return JSON.parse(line.value) as Printed;
    },
    async end() {
      child.stdin.end();
      await closed;
    },
  };
}
