import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { BUILT_IN_LIBRARY } from '../../../src/language/library.js';
import { answersTo, type PromptReply } from '../../../src/launch/load/answers.js';
import { madePlaybook, worded } from '../../rig/loaded.js';

const PLAYS = `
- { hosts: all, vars_prompt: [{ name: user, default: ann, private: false }, { name: pin, confirm: true }], tasks: [] }
- { hosts: all, vars_prompt: [{ name: user, default: ann, private: false }, { name: word }], tasks: [] }
`;

/** What is asked, answered and reported, if each question gets this reply. */
async function asked(reply: (name: string) => PromptReply) {
  const [playbook, diagnostics, questions] = [await madePlaybook(PLAYS), new Diagnostics(), new Array<string>()];
  const target = { extraVars: [], library: BUILT_IN_LIBRARY, secrets: new Secrets() };
  const answers = await answersTo(
    { playbooks: [playbook], target },
    ({ name, text, private: hidden, confirm }) => {
      questions.push([text, ...(hidden ? ['hidden'] : []), ...(confirm ? ['twice'] : [])].join(' '));
      return Promise.resolve(reply(name));
    },
    diagnostics,
  );
  return { questions, answers: [...answers.values()].map(({ values }) => values), said: diagnostics.list.map(worded) };
}

describe('the questions of several plays', () => {
  it('are asked once each, with the default for an empty answer', async () => {
    const { questions, answers, said } = await asked((name) => ({
      type: 'answered',
      answer: name === 'user' ? '' : `${name} 1`,
    }));
    expect(questions).to.deep.equal(['user [ann]: ', 'pin:  hidden twice', 'word:  hidden']);
    expect(answers).to.deep.equal([
      { user: 'ann', pin: 'pin 1' },
      { user: 'ann', word: 'word 1' },
    ]);
    expect(said).to.deep.equal([]);
  });

  it('are not asked any more after one was refused, which is said once', async () => {
    const { questions, answers, said } = await asked((name) =>
      name === 'user' ? { type: 'answered', answer: 'bob' } : { type: 'refused' },
    );
    expect(questions).to.deep.equal(['user [ann]: ', 'pin:  hidden twice']);
    expect(answers).to.deep.equal([{ user: 'bob' }, { user: 'bob' }]);
    expect(said).to.deep.equal(['made.yml:2:77 "pin" was not answered: nothing was contacted']);
  });

  it('have the defaults as answers without a terminal, and fail where there are none', async () => {
    const { answers, said } = await asked(() => ({ type: 'unanswered' }));
    expect(answers).to.deep.equal([{ user: 'ann' }, { user: 'ann' }]);
    expect(said.map((one) => one.replace(/^\S+ /, ''))).to.deep.equal([
      'vars_prompt asks for "pin", but stdin is not a terminal — pass -e pin=…, or run in a terminal',
      'vars_prompt asks for "word", but stdin is not a terminal — pass -e word=…, or run in a terminal',
    ]);
  });
});
