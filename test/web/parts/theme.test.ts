import { expect } from 'chai';
import { useColours, useTheme, type Theme } from '../../../src/web/parts/theme.js';
import { Browser } from './browser.js';
import { endShown, rendered } from './rendered.js';

describe('the colours of the page', () => {
  let browser: Browser;
  beforeEach(() => {
    browser = new Browser();
  });
  afterEach(async () => {
    await browser.close();
    Reflect.deleteProperty(globalThis, 'matchMedia');
  });

  it('change with the theme, and with the system while the page is shown', async () => {
    const listeners = new Map<unknown, unknown>();
    const asked: string[] = [];
    const wanted = {
      matches: false,
      addEventListener: (name: unknown, listener: unknown) => listeners.set(name, listener),
      removeEventListener: (name: unknown, listener: unknown) => {
        if (listeners.get(name) === listener) listeners.delete(name);
      },
    };
    const matchMedia = (query: string) => {
      asked.push(query);
      return wanted;
    };
    Object.assign(globalThis, { matchMedia });
    const seen: unknown[] = [];
    const Shown = ({ theme }: { readonly theme: Theme }) => {
      const colours = useColours(theme);
      if (seen.at(-1) !== colours) seen.push(colours);
      return null;
    };
    wanted.matches = true;
    rendered(Shown, { theme: 'auto' });
    await browser.settled();
    expect([...listeners.keys()]).to.deep.equal(['change']);
    const changed = listeners.get('change');
    wanted.matches = false;
    if (typeof changed === 'function') Reflect.apply(changed, undefined, []);
    await browser.settled();
    rendered(Shown, { theme: 'light' });
    expect(seen).to.deep.equal(['auto true', 'auto false', 'light false']);
    expect(new Set(asked)).to.deep.equal(new Set(['(prefers-color-scheme: dark)']));
    endShown();
    await browser.settled();
    expect([...listeners.keys()]).to.deep.equal([]);
  });

  it('are those of the theme that was kept, or automatic if storage is forbidden or has another', async () => {
    const shown = async (): Promise<readonly [Theme, () => void]> => {
      let last: readonly [Theme, () => void] | undefined;
      const Shown = () => {
        last = useTheme();
        return null;
      };
      rendered(Shown, {});
      await browser.settled();
      if (last === undefined) throw new Error('not shown');
      return last;
    };
    browser.stored.set('evenkeel-theme', 'light');
    expect((await shown())[0]).to.equal('light');
    browser.stored.set('evenkeel-theme', 'blue');
    expect((await shown())[0]).to.equal('auto');
    expect(browser.stored.get('evenkeel-theme')).to.equal('auto');
    const forbidden = (): never => {
      throw new Error('no storage');
    };
    Object.assign(localStorage, { getItem: forbidden, setItem: forbidden });
    const [theme, next] = await shown();
    next();
    await browser.settled();
    expect([theme, browser.dataset['theme']]).to.deep.equal(['auto', 'light']);
  });
});
