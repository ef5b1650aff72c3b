import { expect } from 'chai';
import { maskJson, maskLines, MaskedStream } from '../../src/cli/masked_stream.js';
import { Secrets } from '../../src/core/secrets/secrets.js';

const secrets = new Secrets();
secrets.add('s3cret"1');
secrets.add('4839201756');

describe('output', () => {
  it('loses at most a line to a quote that is not closed', () => {
    expect(maskLines('a\n"password": "x\nb "c"\ns3cret"1', secrets)).to.equal(
      'a\n"password": "********"\nb "c"\n********',
    );
  });

  it('stays JSON, whatever is masked', () => {
    const value = {
      'k-s3cret"1': ['s3cret"1', 4839201756, -4839201756, 1.5e300, true, null],
      text: 'it is s3cret"1',
      password: 'x',
      otp: 12,
      auth: 'basic',
      community: '65001:100',
      nested: { token: ['a', 'b'] },
      pair: { value: 1500, key: 'mtu' },
    };
    expect(JSON.parse(maskJson(JSON.stringify(value, null, 2), secrets))).to.deep.equal({
      'k-********': ['********', '********', '-********', 1.5e300, true, null],
      text: 'it is ********',
      password: '********',
      otp: '********',
      auth: 'basic',
      community: '65001:100',
      nested: { token: ['********', '********'] },
      pair: { value: 1500, key: 'mtu' },
    });
  });

  it('has no character in JSON that terminals interpret', () => {
    const written: string[] = [];
    const stream = { write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
    new MaskedStream(stream, secrets).write('{"a": "\u009b31m\u2028\u202e"}\n', { json: true });
    expect(written).to.deep.equal(['{"a": "\\u009b31m\\u2028\\u202e"}\n']);
  });

  it('keeps every character of JSON without secrets', () => {
    const json = '{"a" : [1.0, "\\u00fc\\/", {}],\n  "password": "", "x": "<sensitive>"';
    expect(maskJson(json, secrets)).to.equal(json);
  });
});
