import { expect } from 'chai';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

describe('json', () => {
  it('is one event per line, as it happened', async () => {
    const make = new EventMaker();
    const events = [make.runStarted(), make.playStarted(['lb1']), make.taskFinished('lb1', 'ok'), make.runFinished()];
    const { stdout, stderr } = await reported(events, { output: 'json' });
    expect(stdout).to.equal(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    expect(stderr).to.equal('');
  });

  it('contains no secret', async () => {
    const secrets = new Secrets();
    secrets.add('hunter"22');
    const event = new EventMaker().taskFinished('lb1', 'ok', {
      message: 'is hunter"22',
      values: { token: 'x1', a: ['hunter"22'] },
    });
    const { stdout } = await reported([event], { output: 'json', secrets });
    expect(JSON.parse(stdout)).to.deep.equal({
      ...event,
      message: 'is ********',
      values: { token: '********', a: ['********'] },
    });
  });

  it('escapes what terminals and line readers interpret', async () => {
    const message = 'a\u001b[2Jb\u009b2Jc\u2028d\u202ee';
    const { stdout } = await reported([new EventMaker().warning(message)], { output: 'json' });
    expect(stdout).to.include(String.raw`"a\u001b[2Jb\u009b2Jc\u2028d\u202ee"`);
    expect(JSON.parse(stdout)).to.have.property('message', message);
  });
});
