import { expect } from 'chai';
import type { Step } from '../../../src/core/model/playbook/step.js';
import { compileSteps, gateSelection, selectSections, StartAt } from '../../../src/engine/keywords/selected_steps.js';
import { load } from '../../rig/loaded.js';

const PLAY = `- hosts: all
  pre_tasks: [{ name: first, debug: , tags: a }, { name: second, debug: }]
  tasks:
    - name: block
      block: [{ name: third, debug: , tags: a }, { name: fourth, debug: }]
      rescue: [{ name: rescue, debug: }]
      always: [{ name: fifth, debug: , tags: b }, { name: sixth, debug: }]
    - { name: web server, debug: }
    - { meta: noop }
    - { ping: }
  post_tasks: [{ name: last, debug: , tags: b }]
`;

async function playOf() {
  const { plays } = await load(PLAY);
  const [play] = plays;
  if (play === undefined) throw new Error('no play');
  return play;
}

type Sections = Parameters<typeof compileSteps>[0];

/** Their names; a block has its parts in brackets. */
function shown(steps: readonly Step[]): string {
  const one = (step: Step): string => {
    if (step.type === 'block') return `[${[step.steps, step.rescue, step.always].map(shown).join(' | ')}]`;
    if (step.type === 'role') return `(${shown(step.steps)})`;
    return step.name?.value ?? (step.type === 'meta' ? step.action : step.module);
  };
  return steps.map(one).join(', ');
}

const sections = ({ preTasks, tasks, postTasks }: Sections): readonly string[] =>
  [preTasks, tasks, postTasks].map(shown);

describe('the steps of a play', () => {
  it('flush handlers after each section, with "force_handlers" also after a failure', async () => {
    const play = await playOf();
    const few = { ...play, tasks: play.tasks.slice(1, 2) };
    const of = { role: undefined, source: play.source, when: [], tags: [], layers: [] };
    expect(compileSteps({ preTasks: [], tasks: [], postTasks: [] }, play.source, false)).to.deep.equal(
      ['flush_handlers', 'flush_handlers', 'finish_handlers'].map((action) => ({
        type: 'meta',
        action,
        name: undefined,
        ...of,
      })),
    );
    expect(shown(compileSteps(few, play.source, false))).to.equal(
      'first, second, flush_handlers, web server, flush_handlers, last, finish_handlers',
    );
    expect(shown(compileSteps(few, play.source, true))).to.equal(
      '[first, second |  | flush_handlers], [web server |  | flush_handlers], [last |  | finish_handlers]',
    );
  });

  it('are those that tags select, without empty blocks', async () => {
    const play = await playOf();
    const selected = (tags: readonly string[], skipTags: readonly string[] = []) =>
      sections(selectSections(play, { tags, skipTags }));
    expect(selected(['a'])).to.deep.equal(['first', '[third |  | ]', '']);
    expect(selected(['b'])).to.deep.equal(['', '[ |  | fifth]', 'last']);
    expect(selected(['untagged'])).to.deep.equal(['second', '[fourth | rescue | sixth], web server, noop, ping', '']);
    expect(selected(['c'])).to.deep.equal(['', '', '']);
    expect(selected([], ['untagged'])).to.deep.equal(['first', '[third |  | fifth]', 'last']);
    expect(gateSelection({ tags: ['x'], skipTags: ['y'] })).to.deep.equal({ tags: ['all', 'x'], skipTags: [] });
  });

  it('begin at the first task of a name, in the first play that has it', async () => {
    const play = await playOf();
    const rest = 'web server, noop, ping';
    const whole = '[third, fourth | rescue | fifth, sixth]';
    for (const [name, expected] of [
      [undefined, ['first, second', `${whole}, ${rest}`, 'last']],
      ['second', ['second', `${whole}, ${rest}`, 'last']],
      ['fourth', ['', `[fourth | rescue | fifth, sixth], ${rest}`, 'last']],
      ['sixth', ['', `[ |  | sixth], ${rest}`, 'last']],
      ['web*', ['', rest, 'last']],
      ['meta', ['', 'noop, ping', 'last']],
      ['ping', ['', 'ping', 'last']],
      ['last', ['', '', 'last']],
      ['block', ['', '', '']],
      ['rescue', ['', '', '']],
      ['~web.*', ['', '', '']],
    ] as const) {
      const start = new StartAt(name);
      expect(sections(start.within(play)), name).to.deep.equal(expected);
      // Plays after the one that has it are whole.
      if (expected.some((one) => one !== '')) expect(start.within(play), name).to.equal(play);
      else expect(sections(start.within(play)), name).to.deep.equal(expected);
    }
  });

  it('begin within a role, by its name with or without the role', async () => {
    const role = (name: string) =>
      `- { name: one, debug: }\n- { name: "${name}", debug: }\n- { name: three, debug: }\n`;
    const { plays, diagnostics } = await load('- hosts: all\n  roles: [web, db]\n  tasks: [{ name: two, debug: }]\n', {
      'roles/web/tasks/main.yml': role('two'),
      'roles/db/tasks/main.yml': role('two'),
    });
    expect(diagnostics).to.deep.equal([]);
    const [play] = plays;
    if (play === undefined) throw new Error('no play');
    for (const [name, expected] of [
      ['two', '(two, three), (one, two, three), two'],
      ['web : two', '(two, three), (one, two, three), two'],
      ['db : two', '(two, three), two'],
      ['db : t*', '(two, three), two'],
      ['db*', '(one, two, three), two'],
      ['web', ''],
    ] as const)
      expect(sections(new StartAt(name).within(play))[1], name).to.equal(expected);
  });
});
