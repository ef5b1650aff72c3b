import { Fragment, h, options, render, type VNode } from 'preact';

const VOID = new Set(['br', 'input']);

/** Lets the tree of a page be built and read without a browser. What Preact asks a document for, and no more. */
export class Piece {
  readonly nodeType: number;
  readonly namespaceURI = 'http://www.w3.org/1999/xhtml';
  readonly ownerDocument = { createElementNS: (_: string, name: string) => new Piece(name), createTextNode };
  readonly childNodes: Piece[] = [];
  readonly style: Record<string, string> = {};
  /** Methods that only a browser carries out. */
  readonly calls: string[] = [];
  parentNode: Piece | null = null;
  data = '';
  readonly #attributes = new Map<string, string>();
  readonly #listeners = new Map<string, (event: object) => void>();

  constructor(readonly localName: string) {
    this.nodeType = localName === '' ? 3 : 1;
  }

  get firstChild(): Piece | null {
    return this.childNodes[0] ?? null;
  }

  get nextSibling(): Piece | null {
    const all = this.parentNode?.childNodes ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }

  insertBefore(child: Piece, next: Piece | null): Piece {
    child.remove();
    child.parentNode = this;
    this.childNodes.splice(next === null ? this.childNodes.length : this.childNodes.indexOf(next), 0, child);
    return child;
  }

  appendChild(child: Piece): Piece {
    return this.insertBefore(child, null);
  }

  remove(): void {
    const { parentNode } = this;
    if (parentNode !== null) parentNode.childNodes.splice(parentNode.childNodes.indexOf(this), 1);
    this.parentNode = null;
  }

  removeChild(child: Piece): void {
    child.remove();
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name.toLowerCase(), String(value));
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name.toLowerCase());
  }

  addEventListener(name: string, listener: (event: object) => void): void {
    this.#listeners.set(name, listener.bind(this));
  }

  removeEventListener(name: string): void {
    this.#listeners.delete(name);
  }

  dispatch(type: string, more: object = {}): void {
    this.#listeners.get(type)?.({ type, currentTarget: this, target: this, preventDefault: () => undefined, ...more });
  }

  attribute(name: string): string | undefined {
    return this.#attributes.get(name);
  }

  querySelectorAll(): readonly Piece[] {
    return [];
  }

  querySelector(): null {
    return null;
  }

  focus(): void {
    this.calls.push('focus');
  }

  showModal(): void {
    this.calls.push('showModal');
  }

  /** All elements of a kind below this one. */
  all(name: string): readonly Piece[] {
    return this.childNodes.flatMap((one) => [...(one.localName === name ? [one] : []), ...one.all(name)]);
  }

  /** The words alone. */
  get text(): string {
    return this.data + this.childNodes.map(({ text }) => text).join('');
  }

  get html(): string {
    if (this.nodeType === 3) return this.data;
    const style = Object.entries(this.style).map(([name, value]) => `${name}:${value}`);
    const attributes = [...this.#attributes, ...(style.length === 0 ? [] : [['style', style.join(';')] as const])];
    const start = `<${this.localName}${attributes.map(([name, value]) => ` ${name}="${value}"`).join('')}>`;
    return VOID.has(this.localName) ? start : `${start}${this.inner}</${this.localName}>`;
  }

  get inner(): string {
    return this.childNodes.map(({ html }) => html).join('');
  }
}

function createTextNode(text: string): Piece {
  const piece = new Piece('');
  piece.data = text;
  return piece;
}

/** What the tree of a component is, and stays after each event. */
export function rendered<P extends object>(component: (props: P) => VNode | null, props: NoInfer<P>): Piece {
  // The test runner compiles the JSX of files outside of tsconfig.json to these calls.
  Object.assign(globalThis, { React: { createElement: h, Fragment } });
  options.debounceRendering = (update) => {
    update();
  };
  const root = new Piece('main');
  render(h(component, props), element(root));
  shown.push(root);
  return root;
}

/** The same component again, with other properties. */
export function renderAgain<P extends object>(
  root: Piece,
  component: (props: P) => VNode | null,
  props: NoInfer<P>,
): void {
  render(h(component, props), element(root));
}

const shown: Piece[] = [];

/** Ends what the components shown so far go on with, such as reading again after some seconds. */
export function endShown(): void {
  for (const root of shown.splice(0)) render(null, element(root));
}

function element(root: Piece): Element {
  // Has what Preact uses of it.
  return root as unknown as Element;
}

/** Presses the button with these words. */
export function press(root: Piece, words: string): void {
  const buttons = root.all('button');
  const button = buttons.find(({ text }) => text === words);
  if (button === undefined) throw new Error(`no button "${words}": ${buttons.map(({ text }) => text).join(', ')}`);
  button.dispatch('click');
}
