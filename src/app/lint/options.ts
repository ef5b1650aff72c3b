import type { TargetOptions } from '../request/options.js';

export interface LintOptions extends Omit<TargetOptions, 'limit'> {
  readonly playbooks: readonly string[];
  readonly list?: boolean | undefined;
  /** The folder of an Ansible project. */
  readonly fromAnsible?: string | undefined;
  readonly json?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly modulePath?: readonly string[] | undefined;
  readonly color?: boolean | undefined;
}
