import { expect } from 'chai';
import { causeFirst, causeLine } from '../../../src/reporting/text/messages.js';

const MESSAGES: readonly (readonly [message: string, shown: string])[] = [
  ['POST /api/cloud/: the controller answered 400: name: is reserved', '400 name: is reserved (POST /api/cloud/)'],
  ['PUT /api/systemconfiguration: the controller answered 500', '500 (PUT /api/systemconfiguration)'],
  ['POST /api/image answered 409: Image exists', '409 Image exists (POST /api/image)'],
  [
    'GET /api/cloud/?name=edge: the controller answered 200, but not with JSON: <p>',
    'the controller answered 200, but not with JSON: <p> (GET /api/cloud/?name=edge)',
  ],
  [
    'GET /api/cloud/?name=a: no connection to https://lb1 (ECONNREFUSED), 5 attempts',
    'no connection to https://lb1 (ECONNREFUSED), 5 attempts (GET /api/cloud/?name=a)',
  ],
  ['DELETE /api/pool/x: the controller answered 403: no\nsecond line', '403 no (DELETE /api/pool/x)\nsecond line'],
  ['dns_servers is empty', 'dns_servers is empty'],
  ['SELECT a FROM b: no', 'SELECT a FROM b: no'],
  ['', ''],
];

describe('the message of a failed request', () => {
  for (const [message, shown] of MESSAGES)
    it(`begins with its cause: ${shown}`, () => {
      expect(causeFirst(message)).to.equal(shown);
    });

  it('sets a second sentence apart if it must fit on one line', () => {
    expect(causeLine('lb1 is not known\nAssertion failed: x > 1')).to.equal(
      'lb1 is not known; Assertion failed: x > 1',
    );
    expect(causeLine('403 no.\n  Ask Ann\nagain')).to.equal('403 no. Ask Ann\nagain');
  });
});
