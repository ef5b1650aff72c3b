import { isFileError, whyUnwritable } from '../../core/files/paths.js';
import { type BadByte, decodeUtf8 } from '../../core/files/read_bytes.js';
import { errorMessage } from '../../core/model/source/diagnostic.js';
import { parseWithDigits } from '../../core/model/values/json.js';
import { TOO_DEEP, tooDeepAt } from '../../core/model/values/nesting.js';
import { entry, type Value } from '../../core/model/values/value.js';
import { mayExecute, programs } from '../../core/programs/programs.js';
import { maskDocument } from '../../core/secrets/mask_value.js';
import { ProjectSources } from '../document/project_sources.js';
import type { ProgramEnvironment } from '../vault/password_file.js';
import { Vault } from '../vault/vault.js';
import { untagged } from '../yaml/parse_yaml.js';
import type { InventoryBuilder, InventoryOrigin } from './builder.js';
import type { PluginCache } from './plugin_cache.js';
import { addScriptInventory, addScriptVariables } from './script_inventory.js';

/** Maximum number of characters of stderr in a message. */
const MOST_MESSAGE_CHARACTERS = 2000;

/** Maximum number of simultaneous `--host` calls. */
const AT_ONCE = 8;

/** A program that prints an inventory. */
interface InventoryProgram extends ProgramEnvironment {
  /** The command in messages. */
  readonly shown: string;
  /** Absolute. */
  readonly file: string;
  /** The first of its arguments. */
  readonly args: readonly string[];
  /** Keeps its output between runs. */
  readonly cache?: PluginCache | undefined;
}

/**
 * Runs an inventory program with `--list`, and, if its output has no `_meta.hostvars`, with `--host NAME` for each
 * controller. Shows its stderr as a warning, or with the error.
 */
export async function addExecutable(
  program: InventoryProgram,
  origin: InventoryOrigin,
  builder: InventoryBuilder,
): Promise<void> {
  const run = (args: readonly string[]): Promise<Value | undefined> => printed(program, args, builder);
  const listed = await run(['--list']);
  if (listed === undefined) return;
  const { controllers, variables } = addScriptInventory(listed, origin, builder);
  const names = [...controllers];
  if (variables !== undefined) {
    for (const name of names) addScriptVariables(name, entry(variables, name) ?? {}, origin, builder);
    return;
  }
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const answers = await Promise.all(some.map((name) => run(['--host', name])));
    for (const [index, name] of some.entries()) addScriptVariables(name, answers[index] ?? {}, origin, builder);
  }
}

async function printed(
  program: InventoryProgram,
  args: readonly string[],
  { diagnostics, services: { vault = Vault.locked(), sources = new ProjectSources() } }: InventoryBuilder,
): Promise<Value | undefined> {
  const command = [program.shown, ...args].join(' ');
  const kept = args[0] === '--list' ? program.cache : undefined;
  // What was kept before, or what a plan has, does not become new.
  const fresh: { execution?: ScriptExecution } = {};
  const { stdout, stderr, failure } = await sources.recallAsync('program', command, async () => {
    const output = await kept?.read();
    if (output !== undefined) return { stdout: output, stderr: '', failure: undefined };
    return (fresh.execution = await executeProgram(program.file, [...program.args, ...args], program));
  });
  const complaint = maskDocument(stderr.trim());
  if (failure !== undefined) return diagnostics.error(`inventory: ${command} ${failure}${said(complaint)}`);
  sources.noteRead('program', command, stdout);
  if (args[0] === '--host' && stdout.trim() === '') return {};
  if (tooDeepAt(stdout) !== undefined)
    return diagnostics.error(`inventory: ${command} printed unusable JSON: ${TOO_DEEP}`);
  let value: Value;
  try {
    // A whole number that would lose digits becomes text, because it cannot
    // be quoted here.
    value = parseWithDigits(stdout);
  } catch (error) {
    const why = maskDocument(errorMessage(error));
    const message = `inventory: ${command} ended with exit code 0 but did not print JSON: ${why}${said(complaint)}`;
    return diagnostics.error(message);
  }
  if (complaint !== '') diagnostics.warn(`inventory: ${command} says: ${complaint}`);
  if (fresh.execution !== undefined)
    await kept?.write(stdout).catch((error: unknown) => {
      diagnostics.warn(`inventory: cannot keep the output of ${command} in ${kept.file}: ${whyUnwritable(error)}`);
    });
  const place = { file: command, line: 1, column: 1 };
  return untagged(value, { vault, diagnostics, locate: () => place });
}

/** The end of a long text is the most informative part. */
function said(complaint: string): string {
  const shown =
    complaint.length > MOST_MESSAGE_CHARACTERS ? `…${complaint.slice(-MOST_MESSAGE_CHARACTERS)}` : complaint;
  return shown === '' ? '' : `; it says: ${shown}`;
}

interface ScriptExecution {
  readonly stdout: string;
  readonly stderr: string;
  /** `exit code 3`, `signal SIGKILL`, or why it could not be started; undefined on success. */
  readonly failure: string | undefined;
}

/** Larger than any inventory; endless output would fill all memory. */
const MOST_MIB = 64;
/** Ten minutes, because some programs query a cloud. */
const PATIENCE_MS = 600_000;

/** Runs a program without a terminal as its input. Kills it if it prints too much or takes too long. */
export function executeProgram(
  file: string,
  args: readonly string[],
  { cwd, env }: ProgramEnvironment,
  patience = PATIENCE_MS,
): Promise<ScriptExecution> {
  return new Promise((resolve) => {
    const child = programs(mayExecute(env)).spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let size = 0;
    const finish = (failure: string | undefined): void => {
      clearTimeout(timer);
      const decoded = decodeUtf8(Buffer.concat(stdout));
      const complaint = Buffer.concat(stderr).toString();
      if ('text' in decoded) resolve({ stdout: decoded.text, stderr: complaint, failure });
      else resolve({ stdout: '', stderr: complaint, failure: failure ?? notText(decoded.bad) });
    };
    const end = (failure: string): void => {
      child.kill('SIGKILL');
      // Its child processes may keep the output open.
      child.stdout.destroy();
      child.stderr.destroy();
      finish(failure);
    };
    const timer = setTimeout(() => end(`did not end within ${patience / 1000} seconds, and was ended`), patience);
    const take = (chunks: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MOST_MIB << 20) end(`printed more than ${MOST_MIB} MiB, and was ended`);
    };
    child.stdout.on('data', take(stdout));
    child.stderr.on('data', take(stderr));
    child.on('error', (error) => {
      const missing = isFileError(error, 'ENOENT');
      finish(
        missing
          ? 'could not be started: the interpreter in its first line does not exist'
          : `could not be started (${error.message})`,
      );
    });
    child.on('close', (code, signal) => {
      if (signal !== null) finish(`was ended by signal ${signal}`);
      else finish(code === 0 ? undefined : `ended with exit code ${code ?? 'unknown'}`);
    });
  });
}

function notText({ line, column, byte }: BadByte): string {
  return `did not print UTF-8 text: line ${line}, column ${column} has the byte ${byte}`;
}
