import { expect } from 'chai';
import { runText } from '../../rig/run_text.js';

describe('handlers of one name', () => {
  const handler = (said: string): string => `{ name: same, debug: { msg: ${said} } }`;
  const [first, second] = [handler('first'), handler('second')];

  for (const [written, handlers] of [
    ['one line', `[${first}, ${second}]`],
    ['a line each', `\n    - ${first}\n    - ${second}`],
  ] as const)
    it(`are the first of their list: ${written}`, async () => {
      const tasks = '[{ debug: { msg: hi }, changed_when: true, notify: same }]';
      const { said } = await runText(`- hosts: all\n  tasks: ${tasks}\n  handlers: ${handlers}\n`);
      expect(said).to.deep.equal(['hi', 'first']);
    });
});
