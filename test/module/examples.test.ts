import { expect } from 'chai';
import { builtinModules } from '../../modules/index.js';
import { load, playOf, tasksOf } from '../rig/loaded.js';

/** The files and roles that the examples of includes name. */
const FILES = { 'cloud.yml': '', 'roles/web/tasks/main.yml': '' };

describe('the examples of modules', () => {
  for (const [name, module] of Object.entries(builtinModules)) {
    it(`of ${name} are valid`, async () => {
      const { examples, name: own } = (await module()).default;
      expect(own).to.equal(name);
      expect(examples).not.to.be.empty;
      for (const example of examples) {
        const { plays, diagnostics } = await load(playOf(example.trim()), FILES);
        expect(diagnostics, example).to.deep.equal([]);
        expect(
          tasksOf(plays[0]).some((step) => step.module === name),
          example,
        ).to.equal(true);
      }
    });
  }
});
