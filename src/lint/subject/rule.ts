import type { Diagnostic } from '../../model/source/diagnostic.js';
import type { Source } from '../../model/source/source.js';
import type { Subject } from './subject.js';

/** A problem, and where it is. */
export interface Remark {
  readonly message: string;
  readonly source: Source;
  readonly hint?: string | undefined;
  /** Present if this finding is less certain than the others of the rule. */
  readonly severity?: 'warning' | undefined;
}

/** A rule of good playbooks. */
export interface Rule {
  /** As in `# noqa NAME`; ansible-lint's name where it has such a rule. */
  readonly name: string;
  /** One line. */
  readonly reason: string;
  /** Warnings do not make `evenkeel lint` fail. */
  readonly severity: Diagnostic['severity'];
  /** Pure: only examines the subject. Absent: the loader finds these. */
  readonly check?: (subject: Subject) => Iterable<Remark>;
}
