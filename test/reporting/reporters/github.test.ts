import { expect } from 'chai';
import { GithubCommands } from '../../../src/reporting/reporters/github.js';
import type { FailureGroup } from '../../../src/reporting/run/failures/failure_group.js';

describe('the commands of GitHub Actions', () => {
  const github = new GithubCommands('/repo', '/repo/sub');
  const at = (file: string) => ({ file, line: 3, column: 7 });

  it('have the places of files in the repository', () => {
    const place = (file: string) => /file=([^,]*),/.exec(github.warning('x', at(file)))?.[1];
    expect(['a.yml', '../b.yml', '/repo/c,d.yml', '/other/e.yml', '../../f.yml', 'g\r%.yml'].map(place)).to.deep.equal([
      'sub/a.yml',
      'b.yml',
      'c%2Cd.yml',
      '/other/e.yml',
      '../../f.yml',
      'sub/g%0D%25.yml',
    ]);
    expect(github.warning('50 %\nof\r', at('a.yml'))).to.equal('::warning file=sub/a.yml,line=3,col=7::50 %25%0Aof');
    expect(github.warning('x', undefined)).to.equal('::warning::x');
  });

  it('annotate diagnostics with their rules and hints', () => {
    const diagnostic = { severity: 'error', message: 'wrong' } as const;
    expect(github.diagnostic(diagnostic)).to.equal('::error::wrong');
    expect(github.diagnostic({ ...diagnostic, rule: 'a:b' })).to.equal('::error title=a%3Ab::wrong');
    expect(
      github.diagnostic({ ...diagnostic, severity: 'warning', source: at('a.yml'), rule: 'r', hint: 'do\nit' }),
    ).to.equal('::warning file=sub/a.yml,line=3,col=7,title=r::wrong (do%0Ait)');
  });

  it('annotate each failure at its cause, with its routes', () => {
    const group = {
      source: at('a.yml'),
      cause: undefined,
      task: 'One\ntwo',
      message: 'no',
      routes: new Map<string, number>(),
    } as unknown as FailureGroup;
    expect(github.error(group, 'lb1')).to.equal('::error file=sub/a.yml,line=3,col=7,title=One two::no (lb1)');
    const routes = new Map([['paris', 1]]);
    expect(github.error({ ...group, cause: at('b.yml'), routes }, 'lb1')).to.equal(
      '::error file=sub/b.yml,line=3,col=7,title=One two::no (lb1 via paris)',
    );
  });

  it('mask the places of files', () => {
    const masking = new GithubCommands('/repo', '/repo', (text) => text.replaceAll('hunter22', '***'));
    expect(masking.warning('x', at('of-hunter22.yml'))).to.include('file=of-***.yml,');
  });

  it('group lines', () => {
    expect([github.group('a\nb'), github.endGroup()]).to.deep.equal(['::group::a b', '::endgroup::']);
  });
});
