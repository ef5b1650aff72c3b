import { expect } from 'chai';
import { maskText } from '../../src/core/secrets/mask_text.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { pingText, type Reached, type Unreached } from '../../src/ping/command.js';
import { createPalette } from '../../src/reporting/text/palette.js';
import { controllerNames } from '../rig/events.js';

const TLS = { protocol: 'TLSv1.3', issuer: 'CA', days_left: 90 };

function reached(controller: string, more: object = {}): Reached {
  return {
    controller,
    address: '10.0.0.1',
    route: null,
    tls: { ...TLS, valid_to: '' },
    username: 'admin',
    sign_in: 'session',
    version: '30.2.1',
    api_version: null,
    tenant: 'admin',
    milliseconds: 12.4,
    ...more,
  } as unknown as Reached;
}

function unreached(controller: string, more: Partial<Unreached> = {}): Unreached {
  const message = maskText(`no way to ${controller}`, new Secrets());
  return { controller, status: 'unreachable', step: 'connect', hint: null, message, ...more } as Unreached;
}

const text = (fleet: { reached?: readonly Reached[]; unreached?: readonly Unreached[] }, colour = false) =>
  pingText({ reached: [], unreached: [], interrupted: false, ...fleet }, createPalette(colour))
    .trimEnd()
    .split('\n');

describe('what ping prints', () => {
  it('has the facts of each of up to twenty controllers', () => {
    const names = controllerNames(20);
    const lines = text({ reached: names.map((name) => reached(name)) });
    expect(lines).to.deep.equal([
      ...names.map(
        (name) =>
          `${name}  ok  10.0.0.1 · TLSv1.3, certificate of CA, 90 days left · admin (session) · version 30.2.1 · tenant admin · 12 ms`,
      ),
      '20 controllers · 20 ok',
    ]);
  });

  it('has equal ones of a larger fleet in a line, with the ranges of what differs', () => {
    const names = controllerNames(21);
    const all = names.map((name, index) =>
      reached(name, { milliseconds: 10.4 + index, tls: { ...TLS, days_left: 40 + index } }),
    );
    const [other] = all.splice(20, 1, reached('lb21', { username: 'ann', milliseconds: null }));
    expect(other?.controller).to.equal('lb21');
    expect(text({ reached: all })).to.deep.equal([
      '20 controllers: lb01, lb02, lb03, lb04, lb05 and 15 more  ok  TLSv1.3, certificate of CA, 40–59 days left · admin (session) · version 30.2.1 · tenant admin · 10–29 ms',
      `${'lb21'.padEnd(56)}  ok  10.0.0.1 · TLSv1.3, certificate of CA, 90 days left · ann (session) · version 30.2.1 · tenant admin · 0 ms`,
      '21 controllers · 21 ok',
    ]);
  });

  it('has what differs in any of these in lines of its own', () => {
    const names = controllerNames(21);
    const others = [
      { route: 'paris' },
      { tls: null },
      { tls: { ...TLS, issuer: 'Other' } },
      { tls: { ...TLS, protocol: 'TLSv1.2' } },
      { sign_in: 'token' },
      { version: '22.1.3' },
      { version: null, api_version: '22.1.3' },
      { api_version: '22.1.3' },
      { tenant: null },
      { address: '10.0.0.2' },
    ];
    const lines = text({ reached: names.map((name, index) => reached(name, others[index])) });
    const facts = lines.map((line) => line.split('  ok  ')[1]);
    const [tls, rest] = ['TLSv1.3, certificate of CA, 90 days left · admin', 'version 30.2.1 · tenant admin · 12 ms'];
    expect(facts.slice(0, -1)).to.deep.equal([
      `10.0.0.1 · through paris · ${tls} (session) · ${rest}`,
      `10.0.0.1 · no TLS · admin (session) · ${rest}`,
      `10.0.0.1 · ${tls.replace('CA', 'Other')} (session) · ${rest}`,
      `10.0.0.1 · ${tls.replace('1.3', '1.2')} (session) · ${rest}`,
      `10.0.0.1 · ${tls} (token) · ${rest}`,
      `10.0.0.1 · ${tls} (session) · version 22.1.3 · tenant admin · 12 ms`,
      `10.0.0.1 · ${tls} (session) · API version 22.1.3 · tenant admin · 12 ms`,
      `10.0.0.1 · ${tls} (session) · version 30.2.1, API version 22.1.3 · tenant admin · 12 ms`,
      `10.0.0.1 · ${tls} (session) · version 30.2.1 · 12 ms`,
      `${tls} (session) · ${rest}`,
    ]);
    expect(lines.at(-2)).to.match(/^12 controllers: lb10, lb11, lb12, lb13, lb14 and 7 more +ok {2}/);
  });

  it('highlights certificates that end within 30 days', () => {
    const days = (days_left: number) => text({ reached: [reached('lb1', { tls: { ...TLS, days_left } })] }, true)[0];
    const warned = (left: string) => createPalette(true).warning(left);
    expect(days(29)).to.include(warned('29 days left'));
    expect(days(30)).to.include('CA, 30 days left ·');
    expect(days(1)).to.include(warned('1 day left'));
    expect(days(0)).to.include(warned('0 days left'));
  });

  it('has each cause once, twenty at most', () => {
    const names = controllerNames(21);
    const lines = text({
      unreached: [
        ...names.map((name, index) => unreached(name, { hint: `hint ${index}` })),
        unreached('lb22', { hint: 'hint 0' }),
        unreached('lb23', { status: 'failed', step: null, hint: 'hint 20' }),
      ],
    });
    expect(lines.slice(0, 4)).to.deep.equal([
      '2 controllers: lb01, lb22: connect: no way to lb01',
      '  hint 0',
      'lb02: connect: no way to lb02',
      '  hint 1',
    ]);
    expect(lines.slice(38)).to.deep.equal([
      'lb20: connect: no way to lb20',
      '  hint 19',
      '2 more causes; --json shows all',
      '23 controllers · 0 ok · 1 failed · 22 unreachable',
    ]);
    const each = (['unstarted', 'failed', 'unreachable', 'unstarted'] as const).map((status) =>
      unreached('lb1', { status }),
    );
    expect(text({ unreached: each }).at(-1)).to.equal(
      '4 controllers · 0 ok · 1 failed · 1 unreachable · 2 not contacted',
    );
    expect(text({ unreached: [unreached('lb1', { status: 'failed', step: null })] })).to.deep.equal([
      'lb1: no way to lb1',
      '1 controller · 0 ok · 1 failed',
    ]);
  });
});
