import { Ajv, type ErrorObject } from 'ajv';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { BEHAVIOUR_SCHEMA, type Behaviour } from './behaviour.js';
import { FAULT_TYPES } from './fault.js';

export type ParsedBehaviour =
  | { readonly status: 'ok'; readonly behaviour: Behaviour }
  /** Sentences that name the place: `faults[0].when.nth must be >= 1`. */
  | { readonly status: 'invalid'; readonly problems: readonly string[] };

/**
 * Compiles the validator of a behaviour from an inventory variable or a program. Compiling takes milliseconds, so share one validator for
 * all controllers.
 */
export function behaviourParser(): (value: unknown) => ParsedBehaviour {
  const ajv = new Ajv({ allErrors: true, discriminator: true, verbose: true });
  const validate = ajv.compile<Behaviour>(BEHAVIOUR_SCHEMA);
  return (value) => {
    if (validate(value)) return { status: 'ok', behaviour: value };
    return { status: 'invalid', problems: [...new Set((validate.errors ?? []).map(explain))] };
  };
}

function explain(error: ErrorObject): string {
  // `/faults/0/when` → `faults[0].when`.
  const place = error.instancePath
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
    .replace(/^\./, '');
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(place, String(params['additionalProperty']), knownKeys(error));
    case 'enum':
      return `${place} must be one of ${join(params['allowedValues'])}`;
    case 'discriminator':
      return `${dotted(place)}type must be one of ${join(FAULT_TYPES)}`;
    case 'required':
      return `${dotted(place)}${String(params['missingProperty'])} is required`;
    default:
      return `${place === '' ? 'a behaviour' : place} ${error.message ?? 'is not valid'}`;
  }
}

function dotted(place: string): string {
  return place === '' ? '' : `${place}.`;
}

function unknownKey(place: string, key: string, known: readonly string[]): string {
  const hint = didYouMean(key, known);
  const unknown = `${dotted(place)}${key} is not known`;
  return hint === undefined ? `${unknown}; known are ${known.join(', ')}` : `${unknown}: ${hint}`;
}

function knownKeys(error: ErrorObject): readonly string[] {
  const schema: Readonly<Record<string, unknown>> = error.parentSchema ?? {};
  return Object.keys(schema['properties'] ?? {});
}

function join(values: unknown): string {
  return Array.isArray(values) ? values.map(String).join(', ') : String(values);
}
