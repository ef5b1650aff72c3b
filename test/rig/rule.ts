import type { Files } from './folder.js';
import { linted } from './linted.js';
import { playOf } from './loaded.js';

/** A project without findings. */
const PROJECT: Files = {
  'evenkeel.yml': 'inventory: inventory\n',
  'inventory/hosts.yml': 'all:\n  hosts:\n    lb1:\n',
};

/** What one rule finds in a playbook (`site.yml`) and files beside it, as `file:line:column message — hint`. */
export async function found(rule: string, playbook: string, files: Files = {}): Promise<readonly string[]> {
  const findings = await linted({ ...PROJECT, 'site.yml': playbook, ...files });
  const broken = findings.filter((finding) => finding.startsWith('syntax-check'));
  if (broken.length > 0) throw new Error(broken.join('\n'));
  return findings.filter((finding) => finding.startsWith(`${rule}: `)).map((finding) => finding.slice(rule.length + 2));
}

/** The same for a task list; its first line is line 3, and every line moves 4 columns. */
export function foundIn(rule: string, tasks: string, files: Files = {}): Promise<readonly string[]> {
  return found(rule, playOf(tasks), files);
}
