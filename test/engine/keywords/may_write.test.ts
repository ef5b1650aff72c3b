import { expect } from 'chai';
import Type from 'typebox';
import { mayWrite } from '../../../src/engine/keywords/may_write.js';
import { defineAction } from '../../../src/module/contract.js';

const sending = defineAction({
  name: 'sending',
  summary: 'Sends.',
  args: Type.Object({ body: Type.String(), note: Type.Optional(Type.String()) }),
  examples: ['- sending: { body: "{}" }'],
  check: false,
  writes: (args) => {
    try {
      return (JSON.parse(args.body) as { readonly writes: boolean }).writes;
    } catch {
      return false;
    }
  },
  run: () => Promise.resolve({ status: 'ok' }),
});

describe('whether a task may write', () => {
  for (const [body, note, expected] of [
    ['{"writes":true}', '', true],
    ['{"writes":false}', '{{ note }}', false],
    ['none', '', false],
    ['{{ body }}', '', true],
  ] as const)
    it(`is ${expected} if its module catches its own errors: ${body} ${note}`, () => {
      expect(mayWrite(sending, { body, note })).to.equal(expected);
    });
});
