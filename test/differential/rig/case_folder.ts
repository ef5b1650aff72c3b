import { inFolder, type Files } from '../../rig/folder.js';
import type { Case } from './cases.js';

/** Five controllers in two groups; the connection is for Ansible alone. */
const INVENTORY = `all:
  vars:
    ansible_connection: local
    ansible_python_interpreter: /usr/bin/python3
  children:
    a:
      hosts: { h1: {}, h2: {} }
    b:
      hosts: { h3: {}, h4: {}, h5: {} }
`;

export interface Prepared {
  readonly folder: string;
  readonly arguments: readonly string[];
}

function filesOf({ playbook, files = {} }: Case): Files {
  return { 'inventory.yml': INVENTORY, 'site.yml': playbook, ...files };
}

function argumentsOf({ playbooks = [], arguments: options = [] }: Case): readonly string[] {
  return ['-i', 'inventory.yml', '-f', '5', ...options, 'site.yml', ...playbooks];
}

/** Writes a case's files into a new folder for as long as it is used. */
export function inCaseFolder<T>(one: Case, use: (prepared: Prepared) => Promise<T>): Promise<T> {
  return inFolder(filesOf(one), (folder) => use({ folder, arguments: argumentsOf(one) }));
}

/** The folders of all cases at once. */
export function inCaseFolders<T>(
  cases: readonly Case[],
  use: (prepared: readonly Prepared[]) => Promise<T>,
  before: readonly Prepared[] = [],
): Promise<T> {
  const [first, ...rest] = cases;
  if (first === undefined) return use(before);
  return inCaseFolder(first, (prepared) => inCaseFolders(rest, use, [...before, prepared]));
}
