import { expect } from 'chai';
import { execute } from '../../../src/project/inventory/executable.js';

const SURROUNDINGS = { cwd: '/', env: { PATH: process.env['PATH'] } };

describe('A program that does not end', () => {
  it('is killed, even if a child process keeps its output open', async () => {
    const { failure } = await execute('/bin/sh', ['-c', 'sleep 60 & echo begun; wait'], SURROUNDINGS, 300);
    expect(failure).to.equal('did not end within 0.3 seconds, and was ended');
  });
});
