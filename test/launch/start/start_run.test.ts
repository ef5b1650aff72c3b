import { expect } from 'chai';
import { runPlaybook, type Event } from '../../../src/index.js';
import { inFolder } from '../../rig/folder.js';

/** Returns another controller each time it is called. */
const NEXT = `import { defineFilter } from 'evenkeel';
let calls = 0;
export default defineFilter({ name: 'next_one', signature: 'names', run: (names) => names[calls++ % names.length] });
`;
const PLAYBOOK = `- hosts: "{{ next_one(['lb1', 'lb2', 'lb3', 'lb4']) }}"
  tasks: [{ debug: { msg: hello } }]
`;

describe('a run', () => {
  it('selects its controllers once: it changes only those that it checked and locked', () =>
    inFolder({ 'p.yml': PLAYBOOK, 'filters/next_one.mjs': NEXT }, async (cwd) => {
      const played: (readonly string[])[] = [];
      const onEvent = (event: Event): void => {
        if (event.type === 'play-started') played.push(event.controllers);
      };
      await runPlaybook({ playbooks: ['p.yml'], inventory: 'lb1,lb2,lb3,lb4', cwd, env: {}, state: false, onEvent });
      expect(played).to.deep.equal([['lb1']]);
    }));
});
