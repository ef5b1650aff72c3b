import { expect } from 'chai';
import type { Ask } from '../../src/engine/input/run_input.js';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';

const ASKING = `
- hosts: all
  tasks:
    - { name: ask, pause: { prompt: 'Go on, {{inventory_hostname}}?' }, register: r }
    - { name: answer, debug: { msg: '{{r.user_input}}' } }
`;

function asked(options: TextOptions & { readonly ask: Ask }): Promise<Ran> {
  return runText(ASKING, { inventory: 'all: { hosts: { lb1: , lb2: } }', ...options });
}

describe('pause', () => {
  it('asks once for all controllers, and all get the answer', async () => {
    const questions: string[] = [];
    const ask: Ask = ({ question, hidden }) => {
      questions.push(`${question} ${hidden ? 'hidden' : 'seen'}`);
      return Promise.resolve('yes');
    };
    const { said } = await asked({ ask });
    expect(questions).to.deep.equal(['Go on, lb1? seen']);
    expect(said).to.deep.equal(['yes', 'yes']);
  });

  it('reports whether it was answered, also if the run is interrupted at that moment', async () => {
    const messages = async (answer: string | undefined, signal?: AbortSignal): Promise<unknown> => {
      const { tasks } = await asked({ ask: () => Promise.resolve(answer), ...(signal && { drain: signal }) });
      return tasks.filter(({ task }) => task === 'ask').map(({ message }) => message)[0];
    };
    expect(await messages('yes')).to.equal('answered');
    expect(await messages(undefined)).to.equal('no answer');
    const interrupt = new AbortController();
    const ask: Ask = () => {
      interrupt.abort();
      return Promise.resolve('yes');
    };
    const { tasks } = await asked({ ask, drain: interrupt.signal });
    expect(tasks[0]).to.deep.include({ status: 'ok', message: 'answered' });
  });

  it('hides the answer if echo is false', async () => {
    const playbook = '- hosts: all\n  tasks:\n    - pause: { prompt: PIN, echo: false }\n';
    const { secrets } = await runText(playbook, { ask: () => Promise.resolve('four-two-four') });
    expect(secrets.mask('it is four-two-four')).to.equal('it is ********');
  });

  it('continues with a warning without a terminal, as Ansible does', async () => {
    const { events, said } = await runText(ASKING);
    expect(events.find(({ type }) => type === 'warning')).to.have.property(
      'message',
      '"Go on, lb1?" was not asked, because stdin is not a terminal, or a program runs this: the run continues',
    );
    expect(said).to.deep.equal(['']);
  });

  it('is interrupted with the run while it waits for the answer', async () => {
    const interrupt = new AbortController();
    const ask: Ask = (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve(undefined);
        });
        interrupt.abort();
      });
    const { tasks } = await asked({ ask, drain: interrupt.signal });
    expect(tasks).to.have.length(1);
    expect(tasks[0]).to.deep.include({ status: 'interrupted', message: 'interrupted before it was answered' });
  });

  it('does not ask in check mode', async () => {
    const ask: Ask = () => Promise.reject(new Error('asked'));
    const { tasks } = await asked({ ask, check: true });
    expect(tasks[0]).to.deep.include({ status: 'ok', message: 'would ask: Go on, lb1?' });
  });
});
