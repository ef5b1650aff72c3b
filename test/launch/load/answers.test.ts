import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { Unsafe, type Value } from '../../../src/core/model/values/value.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { BUILT_IN_LIBRARY } from '../../../src/language/library.js';
import { answersTo, RememberedAnswers, type PromptReply } from '../../../src/launch/load/answers.js';
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

  const answer = async (prompts: string, extra: Record<string, Value>, reply: (name: string) => PromptReply) => {
    const text = `- { hosts: all, vars: { zone: lan }, vars_prompt: ${prompts}, tasks: [] }\n`;
    const [playbook, diagnostics, secrets] = [await madePlaybook(text), new Diagnostics(), new Secrets()];
    const questions: string[] = [];
    const extraVars = [{ level: 'extra vars', origin: '-e', values: extra }] as const;
    const layers = await answersTo(
      { playbooks: [playbook], target: { extraVars, library: BUILT_IN_LIBRARY, secrets } },
      ({ name, text: question }) => {
        questions.push(question);
        return Promise.resolve(reply(name));
      },
      diagnostics,
    );
    return { layers: [...layers.values()], questions, secrets, said: diagnostics.list.map(worded) };
  };

  it('are not asked if extra variables answer them, and those that are private are secrets', async () => {
    const { layers, questions, secrets } = await answer(
      '[{ name: pin }, { name: word }, { name: user, private: false }, { name: shown, private: false }]',
      { pin: 'hunter22', shown: 'visible1' },
      (name) => ({ type: 'answered', answer: `${name}-typed` }),
    );
    expect(questions).to.deep.equal(['word: ', 'user: ']);
    expect(layers).to.deep.equal([
      { level: 'vars_prompt', origin: 'vars_prompt', values: { word: 'word-typed', user: 'user-typed' } },
    ]);
    expect(secrets.mask('hunter22 word-typed user-typed visible1')).to.equal('******** ******** user-typed visible1');
    expect((await answer('[{ name: pin }]', { pin: 'hunter22' }, () => ({ type: 'refused' }))).layers).to.deep.equal(
      [],
    );
  });

  it('are rendered with the variables of their play, and hide defaults that are private', async () => {
    const prompts = `[{ name: a, prompt: 'In {{ zone }}?', default: '{{ zone }}-1', private: false }, { name: b, default: word }, { name: c, prompt: '{{ gone }}' }]`;
    const { layers, questions, secrets, said } = await answer(prompts, {}, () => ({ type: 'unanswered' }));
    expect(questions).to.deep.equal(['In lan? [lan-1]: ', 'b [********]: ']);
    expect(layers[0]?.values).to.deep.equal({ a: 'lan-1', b: 'word' });
    expect(secrets.mask('word')).to.equal('word');
    expect(said).to.deep.equal(['made.yml:1:160 variable "gone" is not defined — did you mean "zone"?']);
    const chosen = await answer(
      `[{ name: a, prompt: 'In {{ zone }}, {{ floor }}?' }]`,
      { floor: 2, zone: 'wan' },
      () => ({
        type: 'answered',
        answer: 'x',
      }),
    );
    expect(chosen.questions).to.deep.equal(['In wan, 2?: ']);
    const program = await answer('[{ name: pin }]', {}, () => ({ type: 'unanswered', program: true }));
    expect(program.said).to.deep.equal(['made.yml:1:52 vars_prompt asks for "pin", but "answers" has no value for it']);
  });

  it('may have answers that are not templates, asked for once more', async () => {
    const prompts = `[{ name: a, prompt: Same, unsafe: true }, { name: b, prompt: Same }, { name: a, prompt: Same, unsafe: true }]`;
    const { layers, questions } = await answer(prompts, {}, () => ({ type: 'answered', answer: '{{ x }}' }));
    expect(questions).to.deep.equal(['Same: ', 'Same: ']);
    expect(layers[0]?.values['a']).to.deep.equal(new Unsafe('{{ x }}'));
    expect(layers[0]?.values['b']).to.equal('{{ x }}');
  });

  it('are answered as in an earlier run where both name and question are the same', async () => {
    const known = [
      { name: 'a', question: 'A: ', answer: 'one' },
      { name: 'b', question: 'B: ', answer: 'two' },
    ];
    const asked: string[] = [];
    const remembered = new RememberedAnswers(known, ({ name }) => {
      asked.push(name);
      return Promise.resolve(name === 'c' ? { type: 'unanswered' } : { type: 'answered', answer: `${name} now` });
    });
    const replies = await Promise.all(
      (
        [
          ['a', 'A: '],
          ['b', 'Else: '],
          ['c', 'B: '],
        ] as const
      ).map(([name, text]) => remembered.respond({ name, text, private: false, confirm: false })),
    );
    expect(asked).to.deep.equal(['b', 'c']);
    expect(replies).to.deep.equal([
      { type: 'answered', answer: 'one' },
      { type: 'answered', answer: 'b now' },
      { type: 'unanswered' },
    ]);
    expect(remembered.given).to.deep.equal([known[0], { name: 'b', question: 'Else: ', answer: 'b now' }]);
  });
});
