import { entry, type Value } from '../../model/values/value.js';
import { layersOf } from '../layers.js';
import { hasReason } from '../reasons.js';
import type { Rule } from '../rule.js';

const EAVESDROPPED = 'whoever sits in between can read the password';

interface Setting {
  readonly variable: string;
  readonly harm: string;
  /** Which of Ansible's spellings of true and false do harm. */
  readonly harmful: RegExp;
}

const FALSE = /^(?:false|no|off|0|n|f)$/i;
const TRUE = /^(?:true|yes|on|1|y|t)$/i;

const SETTINGS: readonly Setting[] = [
  { variable: 'controller_verify_tls', harm: EAVESDROPPED, harmful: FALSE },
  { variable: 'ansible_httpapi_validate_certs', harm: EAVESDROPPED, harmful: FALSE },
  { variable: 'controller_allow_http', harm: 'the password may travel in clear', harmful: TRUE },
];

export const insecureConnection: Rule = {
  name: 'insecure-connection',
  reason: 'Without HTTPS and checked certificates, passwords of controllers can be read on the way.',
  severity: 'error',
  *check(subject) {
    for (const { values, locate } of layersOf(subject)) {
      for (const { variable, harm, harmful } of SETTINGS) {
        const value = scalar(entry(values, variable));
        const source = value === undefined ? undefined : locate?.([variable]);
        if (value === undefined || source === undefined || !harmful.test(value)) continue;
        if (hasReason(subject.lines, source)) continue;
        yield {
          message: `"${variable}: ${value}": ${harm}, and nothing says why`,
          source,
          hint: 'name the authority in "controller_ca_file" instead, or write the reason in a comment above',
        };
      }
    }
  },
};

function scalar(value: Value | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}
