import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { allSteps } from '../../src/core/model/playbook/playbook.js';
import { fleetNeeds } from '../../src/engine/keywords/whole_fleet.js';
import { META_ACTIONS } from '../../src/project/keywords/keyword_table.js';
import { ROOT } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { load, playOf } from '../rig/loaded.js';
import { blocksOf } from './blocks.js';

/** The options of a command line that its command does not have; the command if there is none. */
async function unknownIn([command = '', ...args]: readonly string[]): Promise<readonly string[]> {
  const { code, stdout } = await evenkeel([command, '--help-all'], { cwd: ROOT });
  if (code !== 0) return [command];
  return args.filter((arg) => arg.startsWith('-') && !new RegExp(String.raw`(?:^|[\s,])${arg}[\s,]`, 'm').test(stdout));
}

/** Nothing can be started here: the shards are on other machines. */
describe('docs/scaling.md', () => {
  const page = readFileSync(path.join(ROOT, 'docs/scaling.md'), 'utf8');
  const lines = blocksOf(page)
    .flatMap(({ text }) => text.replaceAll(/\\\n\s*/g, '').split('\n'))
    .filter((line) => line.startsWith('evenkeel '));

  it('names all meta tasks that shards refuse, and no other', async () => {
    const [, section = ''] = page.split(/^### What shards refuse$/m);
    const named = META_ACTIONS.filter((action) => section.includes(action));
    const refused = await Promise.all(
      META_ACTIONS.map(async (action) => {
        const { plays } = await load(playOf(`- meta: ${action}`));
        return fleetNeeds(plays.flatMap(allSteps), () => true).length > 0;
      }),
    );
    expect(named).to.deep.equal(META_ACTIONS.filter((_, index) => refused[index]));
  });

  for (const line of lines)
    it(`has commands and options that exist: ${line}`, async () => {
      expect(await unknownIn(line.split(/\s+/).slice(1))).to.deep.equal([]);
    });
});
