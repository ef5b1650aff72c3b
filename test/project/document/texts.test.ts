import { expect } from 'chai';
import { dataIn } from '../../../src/project/document/texts.js';

describe('a keyword that controls the run', () => {
  const words =
    'name hosts when loop loop_control register tags notify listen changed_when failed_when until break_when delegate_to import_tasks include_tasks import_role include_role import_playbook vars_files roles strategy order environment';
  for (const word of words.split(' '))
    it(`holds no data: ${word}`, () => {
      expect(dataIn([{ [word]: { a: ['x'] } }, { vars: { [word]: 'y', data: 'z' } }])).to.deep.equal(['z']);
    });
});
