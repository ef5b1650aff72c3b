import { expect } from 'chai';
import { loadUserModule } from '../../../src/launch/user_code/user_module.js';
import { inFolder } from '../../rig/folder.js';

const CASES: readonly (readonly [title: string, text: string, message: string])[] = [
  ['nothing', '', 'one.js does not export a module: export default defineResource({ … }) or defineAction({ … })'],
  [
    'something else',
    'export default { name: "one", run() {} };',
    'one.js does not export a module: export default defineResource({ … }) or defineAction({ … })',
  ],
  [
    'a module of another name',
    'export default { type: "action", name: "two" };',
    'one.js calls itself "two"; the file of a module must have its name',
  ],
  [
    'an action without its parts',
    'export default { type: "action", name: "one", args: {} };',
    'one.js lacks "summary", "examples", "run"',
  ],
  [
    'a resource without its parts',
    'export default { type: "resource", name: "one", summary: "s", args: {}, examples: [], read() {}, apply() {} };',
    'one.js lacks "object", "plan"',
  ],
];

describe('the file of a module', () => {
  for (const [title, text, message] of CASES) {
    it(`is refused if it exports ${title}`, async () => {
      await inFolder({ 'one.js': text }, async (folder) => {
        const said = await loadUserModule('one', `${folder}/one.js`).catch((error: unknown) => error);
        expect(said).to.be.an.instanceOf(Error).with.property('message', `${folder}/${message}`);
      });
    });
  }

  it('is accepted if it is complete', async () => {
    const text =
      'export default { type: "action", name: "one", summary: "s", args: {}, examples: [], check: true, run() {} };';
    await inFolder({ 'one.js': text }, async (folder) => {
      expect(await loadUserModule('one', `${folder}/one.js`)).to.include({ type: 'action', name: 'one' });
    });
  });
});
