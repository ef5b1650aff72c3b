import type { Source } from '../source/source.js';
import type { Value } from '../values/value.js';

/** An entry of `vars_prompt`: a variable that the user is asked for, unless `-e` sets it. */
export interface Prompt {
  readonly name: string;
  readonly source: Source;
  /** The question; defaults to the variable's name. */
  readonly prompt: string | undefined;
  /** Replaces an empty answer. */
  readonly default: Value | undefined;
  /** Do not echo the answer, and treat it as a secret. Ansible's default: true. */
  readonly private: boolean;
  /** Ask twice. */
  readonly confirm: boolean;
  /** The answer is data, never a template. */
  readonly unsafe: boolean;
}
