import { expect } from 'chai';
import { CELLS_PER_FRAME, type InParts } from '../../../src/web/data/frame_work.js';
import { createView, type View } from '../../../src/web/data/view.js';
import { useAddress, type Go, type PageAddress } from '../../../src/web/parts/address.js';
import {
  useInParts,
  useKeys,
  useLater,
  useLatest,
  useNarrow,
  useReturningFocus,
  useSameStep,
} from '../../../src/web/parts/run_hooks.js';
import { fleetEvents, pageOf } from '../../rig/page_run.js';
import { Browser } from './browser.js';
import { endShown, Piece, renderAgain, rendered } from './rendered.js';

const PAGE = pageOf(fleetEvents(3, 4));

/** One that can lose the focus. */
function piece(Kind: typeof Piece, name: string): Piece & { blur: () => void } {
  const made = new Kind(name);
  return Object.assign(made, { blur: () => made.calls.push('blur') });
}

describe('the page of a run', () => {
  let browser: Browser;
  beforeEach(() => (browser = new Browser()));
  afterEach(() => browser.close());

  describe('keeps what it shows in its address:', () => {
    let address: PageAddress | undefined;
    let go: Go = () => undefined;
    const Shown = () => {
      [address, go] = useAddress();
      return null;
    };
    const none = { query: '', order: undefined, table: false, controller: undefined, step: undefined };

    it('all of it, or nothing', () => {
      rendered(Shown, {});
      expect(address).to.deep.equal(none);
      go({ query: 'a b&c', order: 'route', table: true });
      go({ controller: 'lb#1', step: 0 });
      expect(browser.location.hash).to.equal('#q=a+b%26c&order=route&table=&controller=lb%231&step=0');
      const all = { query: 'a b&c', order: 'route', table: true, controller: 'lb#1', step: 0 };
      expect(address).to.deep.equal(all);
      rendered(Shown, {});
      expect(address).to.deep.equal(all);
      go({ query: '', order: undefined, table: false, step: undefined });
      expect(browser.location.hash).to.equal('#controller=lb%231');
      go({ controller: undefined });
      expect(browser.location.hash).to.equal('#');
      expect(address).to.deep.equal(none);
    });

    it('as it is when it changes, without what has no meaning', async () => {
      rendered(Shown, {});
      await browser.settled();
      browser.go('#q=status%3Afailed&order=size&step=first');
      expect(address).to.deep.equal({ ...none, query: 'status:failed' });
      browser.go('#order=name&step=12&table');
      expect(address).to.deep.equal({ ...none, order: 'name', table: true, step: 12 });
      const removed: string[] = [];
      Object.assign(globalThis, { removeEventListener: (name: string) => removed.push(name) });
      endShown();
      await browser.settled();
      expect(removed).to.deep.equal(['hashchange']);
    });
  });

  describe('has keys', () => {
    const found = new Map<string, Piece>();
    let done: string[] = [];
    const Keyed = ({ name, isOpen }: { name: string; isOpen: boolean }) => {
      useKeys({
        search: () => done.push(`${name} search`),
        help: () => done.push(`${name} help`),
        close: isOpen ? () => done.push(`${name} close`) : undefined,
      });
      return null;
    };
    beforeEach(async () => {
      found.clear();
      done = [];
      Object.assign(document, { querySelector: (selector: string) => found.get(selector) ?? null });
      const root = rendered(Keyed, { name: 'first', isOpen: true });
      await browser.settled();
      renderAgain(root, Keyed, { name: 'now', isOpen: true });
    });
    const pressed = (keys: readonly string[], more: object = {}) => {
      done = [];
      for (const key of keys) browser.press(key, { preventDefault: () => done.push(`${key} is not typed`), ...more });
      return done;
    };
    const all = ['/', '?', 'f', 'x', 'Escape'];

    it('that do what is wanted now, until the page is left', async () => {
      expect(pressed(all)).to.deep.equal(['/ is not typed', 'now search', 'now help', 'now close']);
      endShown();
      await browser.settled();
      expect(pressed(all)).to.deep.equal([]);
    });

    it('with nothing to close, if nothing is open', async () => {
      endShown();
      await browser.settled();
      rendered(Keyed, { name: 'closed', isOpen: false });
      await browser.settled();
      expect(pressed(all)).to.deep.equal(['/ is not typed', 'closed search', 'closed help']);
    });

    it('that are left to the browser with others, and to what is typed or selected', () => {
      for (const other of ['ctrlKey', 'altKey', 'metaKey'])
        expect(pressed(all, { [other]: true }), other).to.deep.equal(['now close']);
      const input = piece(HTMLInputElement as unknown as typeof Piece, 'input');
      expect(pressed(all, { target: input })).to.deep.equal([]);
      expect(input.calls).to.deep.equal(['blur']);
      const select = piece(HTMLSelectElement as unknown as typeof Piece, 'select');
      expect(pressed(all, { target: select })).to.deep.equal(['now close']);
      expect(select.calls).to.deep.equal([]);
    });

    it('that do nothing behind a dialog', () => {
      found.set('dialog[open]', new Piece('dialog'));
      expect(pressed(all)).to.deep.equal([]);
    });

    it('that jump to a section: to its cell, or else to its heading', () => {
      const made = (selector: string) => {
        const calls: unknown[] = [];
        const target = Object.assign(new Piece('h2'), {
          focus: (how: unknown) => calls.push(how),
          scrollIntoView: (how: unknown) => calls.push(how),
        });
        found.set(selector, target);
        return calls;
      };
      const [focus, scroll] = [{ preventScroll: true }, { block: 'start' }];
      const headings = ['failures', 'changes', 'timeline', 'matrix'].map((name) => made(`#${name}-title`));
      const cell = made('#matrix [role="grid"] [tabindex="0"]');
      pressed(['f', 'c', 't', 'm']);
      expect(headings).to.deep.equal([[focus, scroll], [focus, scroll], [focus, scroll], [scroll]]);
      expect(cell).to.deep.equal([focus]);
    });
  });

  describe('computes in parts what it shows of a view:', () => {
    let shown: string[] = [];
    let parts: string[] = [];
    let names = new Map<View, string>();
    const compute = function* (view: View): InParts<string> {
      const name = names.get(view) ?? '';
      for (const part of [1, 2]) {
        parts.push(`${name}${part}`);
        yield CELLS_PER_FRAME;
      }
      return name;
    };
    const Computed = ({ view }: { view: View }) => {
      const { view: about, value } = useInParts(view, compute);
      expect(value).to.equal(names.get(about));
      if (shown.at(-1) !== value) shown.push(value);
      return null;
    };
    function view(name: string, query = '', order: View['order'] = 'name'): View {
      const made = createView(PAGE, query, order);
      names.set(made, name);
      return made;
    }
    const later = async () => {
      await browser.settled();
      await browser.settled();
    };
    beforeEach(() => {
      [shown, parts, names] = [[], [], new Map<View, string>()];
    });

    it('the first at once, others later', async () => {
      const root = rendered(Computed, { view: view('a') });
      expect([shown, parts]).to.deep.equal([['a'], ['a1', 'a2']]);
      renderAgain(root, Computed, { view: view('b') });
      expect([shown, parts]).to.deep.equal([['a'], ['a1', 'a2']]);
      await later();
      expect([shown, parts]).to.deep.equal([
        ['a', 'b'],
        ['a1', 'a2', 'b1', 'b2'],
      ]);
      renderAgain(root, Computed, { view: view('c') });
      await later();
      expect(shown).to.deep.equal(['a', 'b', 'c']);
    });

    it('to the end if the search is the same, then the newest', async () => {
      const root = rendered(Computed, { view: view('a') });
      for (const name of ['b', 'c', 'd']) renderAgain(root, Computed, { view: view(name) });
      await later();
      expect([shown, parts]).to.deep.equal([
        ['a', 'b', 'd'],
        ['a1', 'a2', 'b1', 'b2', 'd1', 'd2'],
      ]);
    });

    it('to the end, too, after another search', async () => {
      const root = rendered(Computed, { view: view('a') });
      renderAgain(root, Computed, { view: view('b', 'lb*') });
      await new Promise(setImmediate);
      renderAgain(root, Computed, { view: view('c', 'lb*') });
      await later();
      expect(shown).to.deep.equal(['a', 'b', 'c']);
    });

    it('no longer if the search or the order is another one', async () => {
      const root = rendered(Computed, { view: view('a') });
      renderAgain(root, Computed, { view: view('b') });
      await new Promise(setImmediate);
      renderAgain(root, Computed, { view: view('c', 'lb*') });
      await new Promise(setImmediate);
      renderAgain(root, Computed, { view: view('d', 'lb*', 'group') });
      await later();
      expect(shown).to.deep.equal(['a', 'd']);
      expect(parts).to.include.members(['b1', 'd1', 'd2']);
      expect(parts).not.to.include.members(['b2']);
    });

    it('not at all once the page is left', async () => {
      const root = rendered(Computed, { view: view('a') });
      await browser.settled();
      renderAgain(root, Computed, { view: view('b') });
      endShown();
      await later();
      expect([shown, parts]).to.deep.equal([['a'], ['a1', 'a2']]);
    });
  });

  describe('shows what is below the matrix', () => {
    const { setTimeout: start, clearTimeout: clear } = globalThis;
    let waiting: { readonly call: () => void; readonly milliseconds: number }[] = [];
    let now = 5000;
    let shown: View | undefined;
    const Later = ({ view }: { view: View }) => {
      shown = useLater(view);
      return null;
    };
    beforeEach(() => {
      [waiting, now] = [[], 5000];
      Object.assign(globalThis, {
        setTimeout: (call: () => void, milliseconds: number) => {
          const timer = { call, milliseconds };
          waiting.push(timer);
          return timer;
        },
        clearTimeout: (timer: object) => (waiting = waiting.filter((one) => one !== timer)),
      });
      Object.defineProperty(performance, 'now', { value: () => now, configurable: true });
    });
    afterEach(() => {
      Object.assign(globalThis, { setTimeout: start, clearTimeout: clear });
      Reflect.deleteProperty(performance, 'now');
    });
    const wait = async (): Promise<number> => {
      await browser.settled();
      const [timer] = waiting.splice(0);
      now += timer?.milliseconds ?? 0;
      timer?.call();
      await browser.settled();
      return timer?.milliseconds ?? -1;
    };

    it('later: at once for a search, once a second while the run is running', async () => {
      const views = ['', '', '', 'lb1', 'lb1'].map((query) => createView({ ...PAGE }, query, 'name'));
      const root = rendered(Later, { view: views[0]! });
      expect(shown).to.equal(views[0]);
      expect(await wait()).to.equal(0);
      now += 300;
      renderAgain(root, Later, { view: views[1]! });
      expect(shown).to.equal(views[0]);
      await browser.settled();
      expect(waiting.map(({ milliseconds }) => milliseconds)).to.deep.equal([700]);
      now += 100;
      renderAgain(root, Later, { view: views[2]! });
      expect(await wait()).to.equal(600);
      expect(shown).to.equal(views[2]);
      renderAgain(root, Later, { view: views[3]! });
      expect(shown).to.equal(views[2]);
      expect(await wait()).to.equal(0);
      expect(shown).to.equal(views[3]);
      renderAgain(root, Later, { view: views[4]! });
      await browser.settled();
      endShown();
      await browser.settled();
      expect(waiting).to.deep.equal([]);
    });
  });

  it('stays at the same step when steps appear before it', () => {
    const gone: unknown[] = [];
    const Same = ({ page, step }: { page: typeof PAGE; step: number | undefined }) => {
      useSameStep(page, step, (change) => gone.push(change));
      return null;
    };
    const [first, second, third, fourth] = PAGE.columns;
    const page = (...columns: readonly (typeof first)[]) => ({ ...PAGE, columns: columns as typeof PAGE.columns });
    const root = rendered(Same, { page: page(second, fourth), step: 1 });
    const shown = (next: typeof PAGE, step: number | undefined) => {
      renderAgain(root, Same, { page: next, step });
      return gone.splice(0);
    };
    expect(shown(page(first, second, fourth), 1)).to.deep.equal([{ step: 2 }]);
    expect(shown(page(first, second, fourth, third), 2)).to.deep.equal([]);
    expect(shown(page(first, fourth, third), undefined)).to.deep.equal([]);
    expect(shown(page(fourth, third), 1)).to.deep.equal([{ step: 0 }]);
    expect(shown(page(third, second), 0)).to.deep.equal([]);
    expect(shown(page(first, second), 0)).to.deep.equal([]);
    expect(shown(page(second), 9)).to.deep.equal([]);
  });

  it('has functions that stay the same, and call the newest', () => {
    const called: string[] = [];
    const functions = new Set<unknown>();
    const Latest = ({ name }: { name: string }) => {
      const call = useLatest((what: string) => called.push(`${name} ${what}`));
      functions.add(call);
      call('now');
      return null;
    };
    const root = rendered(Latest, { name: 'first' });
    renderAgain(root, Latest, { name: 'next' });
    expect(called).to.deep.equal(['first now', 'next now']);
    expect(functions.size).to.equal(1);
  });

  it('is narrow as long as the window is', async () => {
    const media = Object.assign(new Piece('media'), { matches: true });
    const asked: string[] = [];
    Object.assign(globalThis, {
      matchMedia: (query: string) => {
        asked.push(query);
        return media;
      },
    });
    let isNarrow: boolean | undefined;
    const Shown = () => {
      isNarrow = useNarrow();
      return null;
    };
    rendered(Shown, {});
    await browser.settled();
    expect(isNarrow).to.equal(true);
    const removed: string[] = [];
    Object.assign(media, { removeEventListener: (name: string) => removed.push(name) });
    media.matches = false;
    media.dispatch('change');
    expect(isNarrow).to.equal(false);
    expect([...new Set(asked)]).to.deep.equal(['(max-width: 900px)']);
    expect(removed).to.deep.equal([]);
    endShown();
    await browser.settled();
    expect(removed).to.deep.equal(['change']);
    Reflect.deleteProperty(globalThis, 'matchMedia');
  });

  it('gives the focus back to what opened the drawer, or else to the cell in the matrix', () => {
    Object.assign(globalThis, { HTMLElement: Piece });
    const ways: unknown[] = [];
    const focused = { focus: (how: unknown) => ways.push(how) };
    const cell = Object.assign(new Piece('td'), focused);
    const asked: string[] = [];
    Object.assign(document, {
      body: new Piece('body'),
      querySelector: (selector: string) => {
        asked.push(selector);
        return cell;
      },
    });
    let opener: { current: unknown } = { current: null };
    const Shown = ({ isOpen }: { isOpen: boolean }) => {
      opener = useReturningFocus(isOpen);
      return null;
    };
    const root = rendered(Shown, { isOpen: false });
    expect(ways).to.deep.equal([]);
    const closed = (from: unknown) => {
      ways.length = 0;
      opener.current = from;
      for (const isOpen of [true, true, false, false]) renderAgain(root, Shown, { isOpen });
      return [...ways];
    };
    const button = (isConnected: boolean, isInGrid: boolean) =>
      Object.assign(new Piece('button'), { isConnected, closest: () => (isInGrid ? cell : null) });
    const [stays, gone, inGrid] = [button(true, false), button(false, false), button(true, true)];
    expect([stays, gone, inGrid, null, document.body].map(closed)).to.deep.equal([
      [],
      ...Array<unknown>(4).fill([{ preventScroll: true }]),
    ]);
    expect([stays, gone, inGrid].map(({ calls }) => calls)).to.deep.equal([['focus'], [], []]);
    expect([...new Set(asked)]).to.deep.equal(['[role="grid"] [tabindex="0"]']);
    Reflect.deleteProperty(globalThis, 'HTMLElement');
  });
});
