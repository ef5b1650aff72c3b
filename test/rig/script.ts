import path from 'node:path';
import { ROOT } from './command.js';

/** What Node is given to run a script of the tests in a process of its own. `npm test` has compiled it: its loader of TypeScript takes longer. */
export function scriptArgs(file: string): readonly string[] {
  if (process.execArgv.includes('--import=tsx')) return ['--import', 'tsx', file];
  return [path.join(ROOT, 'dist.tests', path.relative(ROOT, file).replace(/\.ts$/, '.js'))];
}
