import { expect } from 'chai';
import { runText } from '../rig/run_text.js';

describe('a meta task that is a handler', () => {
  it('runs when it is notified', async () => {
    const playbook = `- hosts: all
  tasks:
    - name: Change
      debug:
      changed_when: inventory_hostname == "lb1"
      notify: Stop
    - meta: flush_handlers
    - name: Go on
      debug:
  handlers:
    - name: Stop
      meta: end_host
    - name: Never
      debug:
`;
    const { lines, events } = await runText(playbook, {
      inventory: 'all: { hosts: { lb1: , lb2: } }',
      strategy: 'linear',
    });
    expect(lines).to.deep.equal(['lb1 Change: changed', 'lb2 Change: ok', 'lb2 Go on: ok']);
    expect(events.flatMap((event) => (event.type === 'handler-notified' ? [event.handler] : []))).to.deep.equal([
      'Stop',
    ]);
  });
});
