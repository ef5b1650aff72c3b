import type { Source } from '../source/source.js';
import type { Value } from '../values/value.js';

/** An entry of `vars_prompt`: a variable that the user is asked for, unless `-e` sets it. */
export interface Prompt {
  readonly name: string;
  readonly source: Source;
  /** The question; the variable's name if there is none. */
  readonly prompt: string | undefined;
  /** The value for an empty answer. */
  readonly default: Value | undefined;
  /** The answer is not shown, and is a secret. Ansible's default: true. */
  readonly private: boolean;
  /** Ask twice. */
  readonly confirm: boolean;
  /** The answer is data, never a template. */
  readonly unsafe: boolean;
}
