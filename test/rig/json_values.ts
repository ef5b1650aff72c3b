import fc from 'fast-check';
import type { Mapping, Value } from '../../src/core/model/values/value.js';

const name = fc.constantFrom(
  'name',
  'mtu',
  'dns_configuration',
  'server_list',
  'addr',
  'tenant_ref',
  'password',
  'uuid',
  'x',
);
const text = fc.constantFrom('', 'a', 'b', '/api/tenant/1', '/api/tenant/1#admin', '<sensitive>');
const scalar = fc.oneof(text, fc.boolean(), fc.integer({ min: 0, max: 3 }), fc.constant(null));

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));

/** Objects as controllers might show them: few names and values, so that they often meet. */
export const objects: fc.Arbitrary<Mapping> = fc.dictionary(name, value, { maxKeys: 5 });

/** The same, as someone might declare them: without placeholders of hidden secrets. */
export const declarations: fc.Arbitrary<Mapping> = objects.filter(
  (one) => !JSON.stringify(one).includes('<sensitive>'),
);
