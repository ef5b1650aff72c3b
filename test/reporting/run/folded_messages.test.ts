import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { Story, type StoryOptions } from '../../../src/reporting/run/story.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { controllerNames, EventMaker } from '../../rig/events.js';

const say = (make: EventMaker, name: string, message: string): Event =>
  make.taskFinished(name, 'ok', { task: 'Say', module: 'debug', spoken: true, message });

/** What the live output shows above the view while all controllers say something. */
function shown(controllers: number, message: (name: string) => string, options: Partial<StoryOptions> = {}): string[] {
  const make = new EventMaker();
  const names = controllerNames(controllers);
  const story = new Story({
    mask: (text) => text,
    palette: createPalette(false),
    verbosity: 0,
    diff: 'host',
    brief: true,
    ...options,
  });
  const events = [
    make.playStarted(names),
    make.batchStarted(names),
    ...names.map((name) => say(make, name, message(name))),
    make.batchFinished(),
  ];
  return events.flatMap((event) => story.lines(event).map((line) => line.trim()));
}

describe('equal messages of debug in the live view', () => {
  it('are shown once, and counted at the end of the batch', () => {
    expect(shown(200, () => 'hello')).to.deep.equal([
      'ok           lb001  Say: hello',
      'and 199 other controllers  Say: hello',
    ]);
  });

  it('are equal if only the names of their controllers differ', () => {
    expect(shown(200, (name) => `I am ${name}`)).to.deep.equal([
      'ok           lb001  Say: I am lb001',
      'and 199 other controllers  Say: I am <controller>',
    ]);
  });

  it('are shown one by one for few controllers, with -v, in the log, and if they differ', () => {
    expect(shown(10, () => 'hello')).to.have.length(10);
    expect(shown(11, () => 'hello', { verbosity: 1 })).to.have.length(11);
    expect(shown(11, () => 'hello', { brief: false })).to.have.length(11);
    expect(shown(11, (name) => `10.0.0.${name.slice(-1)}`)).to.have.length(11);
  });

  it('are not equal with different items, and each is shown whole beyond 2,000 characters', () => {
    const make = new EventMaker();
    const story = new Story({
      mask: (text) => text,
      palette: createPalette(false),
      verbosity: 0,
      diff: 'host',
      brief: true,
    });
    const names = controllerNames(12);
    const lines = (item: (at: number) => string | undefined, message: string) =>
      [
        make.playStarted(names),
        ...names.map((name, at) => ({ ...say(make, name, message), item: item(at) }) as Event),
        make.batchFinished(),
      ].flatMap((event) => story.lines(event).map((line) => line.trim().slice(0, 40)));
    expect(lines((at) => (at < 6 ? 'a' : 'b'), 'hello').slice(-2)).to.deep.equal([
      'and 5 other controllers  Say: hello',
      'and 5 other controllers  Say: hello',
    ]);
    expect(lines(() => undefined, 'x'.repeat(2000))).to.have.length(2);
    expect(lines(() => undefined, 'x'.repeat(2001))).to.have.length(12);
  });

  it('count a controller once that says them again, as in a file that is included twice', () => {
    const make = new EventMaker();
    const story = new Story({
      mask: (text) => text,
      palette: createPalette(false),
      verbosity: 0,
      diff: 'host',
      brief: true,
    });
    const names = controllerNames(12);
    const events = [
      make.playStarted(names),
      ...[...names, ...names].map((name) => say(make, name, 'hello')),
      ...[1, 2, 3].map(() => say(make, 'lb01', 'alone')),
      make.batchFinished(),
    ];
    expect(events.flatMap((event) => story.lines(event).map((line) => line.trim())).slice(-2)).to.deep.equal([
      'and 11 other controllers  Say: hello',
      'and 2 more times  Say: alone',
    ]);
  });

  it('are equal also after a hundred other ones, of other tasks', () => {
    const make = new EventMaker();
    const names = controllerNames(12);
    const story = new Story({ mask: String, palette: createPalette(false), verbosity: 0, diff: 'host', brief: true });
    const said = Array.from({ length: 102 }, (_, task) =>
      names.map((name) => make.taskFinished(name, 'ok', { task: `T${task}`, spoken: true, message: `m${task}` })),
    );
    const events = [make.playStarted(names), ...said.flat(), make.batchFinished()];
    const lines = events.flatMap((event) => story.lines(event).map((line) => line.trim()));
    expect(lines).to.have.length(2 * 102);
    expect(lines.at(-1)).to.equal('and 11 other controllers  T101: m101');
  });

  it('are counted after the tenth different one of a task, and left out of plans', () => {
    const different = (name: string): string => `10.0.0.${name.slice(-2)}`;
    const lines = shown(60, different);
    expect(lines).to.have.length(11);
    expect(lines.at(-1)).to.equal('and 50 other messages  Say; -v shows each');
    expect(shown(60, different, { verbosity: 1 })).to.have.length(60);
    expect(shown(60, different, { results: true })).to.have.length(60);
    expect(shown(60, different, { plan: true })).to.deep.equal([]);
    expect(shown(60, different, { plan: true, verbosity: 1 })).to.have.length(60);
  });
});
