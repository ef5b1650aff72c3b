import { expect } from 'chai';
import { whatText, type ListedRun } from '../../../src/launch/history/listed_run.js';

const RUN: ListedRun = {
  run: '20261120T185022Z-9f3a1c',
  time: '2026-11-20T18:50:22.000Z',
  argv: ['run', 'site.yml', '-f', '5'],
  command: 'run',
  playbooks: ['site.yml'],
  environment: null,
  check: false,
  simulated: false,
  status: 'finished',
};

describe('the description of a run in the list', () => {
  const text = (fields: Partial<ListedRun>): string => whatText({ ...RUN, ...fields });

  it('shows its playbooks, or the command line without them, and what made it read-only', () => {
    expect(text({})).to.equal('run site.yml');
    expect(text({ argv: [], check: true })).to.equal('run site.yml (check)');
    const task = { command: 'task', argv: ['task', 'lb1', '-m', 'debug'], playbooks: [] };
    expect(text({ ...task, simulated: true })).to.equal('task lb1 -m debug (simulated)');
    const typed = { ...task, argv: ['task', 'lb1', '-C', '--simulate'], check: true, simulated: true };
    expect(text(typed)).to.equal('task lb1 (check) (simulated)');
    const plan = {
      command: 'plan',
      argv: ['plan', 'site.yml', '--simulate', '--out', 'p'],
      check: true,
      simulated: true,
    };
    expect(text(plan)).to.equal('plan site.yml --out p (simulated)');
  });

  it('names the run that a rollback undoes, however the rollback was started', () => {
    const rollback = { command: 'rollback', undoes: '20261119T070000Z-00a1b2' };
    expect(text({ ...rollback, argv: ['rollback', 'last', '--yes'] })).to.equal('rollback of 20261119T070000Z-00a1b2');
    expect(text({ ...rollback, argv: [], check: true })).to.equal('rollback of 20261119T070000Z-00a1b2 (check)');
  });
});
