import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { readShard } from '../../../src/launch/request/shard.js';

function read(written: string, env: Readonly<Record<string, string>> = {}): unknown {
  const diagnostics = new Diagnostics();
  const shard = readShard(written, env, diagnostics);
  if (shard !== undefined) return `${shard.index}/${shard.count}`;
  return diagnostics.list
    .map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`))
    .join('\n');
}

describe('--shard', () => {
  it('is a part of a number of parts', () => {
    expect(read('1/1')).to.equal('1/1');
    expect(read('2/4')).to.equal('2/4');
    expect(read('0/4')).to.equal('--shard "0/4": the shards are numbered from 1 to 4');
    expect(read('5/4')).to.equal('--shard "5/4": the shards are numbered from 1 to 4');
    for (const wrong of ['2', '2/', '/4', '2/0', 'two/4', '2/4/6', '-1/4', '1.5/4', ' 2/4', 'auto', 'auto/x', ''])
      expect(read(wrong)).to.equal(
        `--shard "${wrong}": it must be I/N, such as 2/4 for the second of four shards, or auto/N`,
      );
  });

  it('counts from 0 in the pods of an Indexed Job', () => {
    expect(read('auto/4', { JOB_COMPLETION_INDEX: '0' })).to.equal('1/4');
    expect(read('auto/4', { JOB_COMPLETION_INDEX: '3' })).to.equal('4/4');
    expect(read('auto/4', { JOB_COMPLETION_INDEX: '4' })).to.equal(
      '--shard "auto/4": JOB_COMPLETION_INDEX is 4, and the shards are numbered from 1 to 4',
    );
  });

  it('counts from 1 in the jobs of GitLab, of which there must be as many', () => {
    expect(read('auto/4', { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' })).to.equal('1/4');
    expect(read('auto/4', { CI_NODE_INDEX: '4' })).to.equal('4/4');
    // The job does not have what another engine says of an array.
    expect(read('auto/4', { CI_NODE_INDEX: '4', SLURM_ARRAY_TASK_MIN: '0', SLURM_ARRAY_TASK_MAX: '9' })).to.equal(
      '4/4',
    );
    expect(read('auto/4', { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '5' })).to.equal(
      '--shard "auto/4": CI_NODE_TOTAL is 5: there are 5 jobs for 4 shards',
    );
  });

  it('counts from 1 in the tasks of an array, also if only some are submitted again', () => {
    const array = (id: string, min: string, max: string) => ({
      SLURM_ARRAY_TASK_ID: id,
      SLURM_ARRAY_TASK_MIN: min,
      SLURM_ARRAY_TASK_MAX: max,
    });
    expect(read('auto/4', array('1', '1', '4'))).to.equal('1/4');
    expect(read('auto/4', array('3', '3', '3'))).to.equal('3/4');
    for (const id of ['0', '2'])
      expect(read('auto/4', array(id, '0', '3'))).to.equal(
        '--shard "auto/4": the array begins with task 0, and the shards are numbered from 1 (submit it with --array=1-4)',
      );
    for (const id of ['1', '5'])
      expect(read('auto/4', array(id, '1', '5'))).to.equal(
        '--shard "auto/4": the array ends with task 5 (submit it with --array=1-4)',
      );
  });

  it('does not guess', () => {
    expect(read('auto/4')).to.equal(
      '--shard "auto/4": none of JOB_COMPLETION_INDEX, CI_NODE_INDEX, SLURM_ARRAY_TASK_ID is set (they are set in the pods of an Indexed Job, in jobs with "parallel" and in tasks of an array; elsewhere, pass I/N)',
    );
    expect(read('auto/4', { CI_NODE_INDEX: '1', SLURM_ARRAY_TASK_ID: '2' })).to.equal(
      '--shard "auto/4": CI_NODE_INDEX and SLURM_ARRAY_TASK_ID are both set (pass I/N)',
    );
    expect(read('auto/4', { CI_NODE_INDEX: 'first' })).to.equal(
      '--shard "auto/4": CI_NODE_INDEX is "first", which is not a number',
    );
    expect(read('1/4', { CI_NODE_INDEX: '3' })).to.equal('1/4');
  });
});
