import { hash } from 'node:crypto';

const SIZE = 624;
const MIDDLE = 397;

/** Python's `random.Random(seed)`: the same seed gives the same choices as in Ansible, on every machine. */
export class MersenneTwister {
  readonly #state: Uint32Array;
  #next = SIZE;

  constructor(seed: string | number) {
    this.#state = fromKey(seedKey(seed));
  }

  /** A whole number from 0 to below `end`, which is at most 2^52. */
  below(end: number): number {
    const bits = end < 2 ** 32 ? 32 - Math.clz32(end) : end.toString(2).length;
    for (;;) {
      const drawn = bits > 32 ? this.#draw() + (this.#draw() >>> (64 - bits)) * 2 ** 32 : this.#draw() >>> (32 - bits);
      if (drawn < end) return drawn;
    }
  }

  #draw(): number {
    if (this.#next >= SIZE) this.#refill();
    let value = this.#state[this.#next] ?? 0;
    this.#next += 1;
    value ^= value >>> 11;
    value ^= (value << 7) & 0x9d2c5680;
    value ^= (value << 15) & 0xefc60000;
    return (value ^ (value >>> 18)) >>> 0;
  }

  #refill(): void {
    const state = this.#state;
    for (let index = 0; index < SIZE; index += 1) {
      const mixed = ((state[index] ?? 0) & 0x80000000) | ((state[(index + 1) % SIZE] ?? 0) & 0x7fffffff);
      state[index] = (state[(index + MIDDLE) % SIZE] ?? 0) ^ (mixed >>> 1) ^ (mixed & 1 ? 0x9908b0df : 0);
    }
    this.#next = 0;
  }
}

/** The seed as words of 32 bits, the lowest first: of a text, itself followed by its SHA-512. */
function seedKey(seed: string | number): readonly number[] {
  let rest =
    typeof seed === 'number'
      ? BigInt(Math.abs(seed))
      : BigInt(`0x${Buffer.from(seed).toString('hex')}${hash('sha512', seed)}`);
  const words: number[] = [];
  do {
    words.push(Number(rest & 0xffffffffn));
    rest >>= 32n;
  } while (rest > 0n);
  return words;
}

function fromSeed(seed: number): Uint32Array {
  const state = new Uint32Array(SIZE);
  state[0] = seed;
  for (let index = 1; index < SIZE; index += 1) {
    const before = state[index - 1] ?? 0;
    state[index] = Math.imul(1812433253, before ^ (before >>> 30)) + index;
  }
  return state;
}

function fromKey(key: readonly number[]): Uint32Array {
  const state = fromSeed(19650218);
  let index = 1;
  const step = (factor: number, added: (index: number) => number): void => {
    const before = state[index - 1] ?? 0;
    state[index] = ((state[index] ?? 0) ^ Math.imul(before ^ (before >>> 30), factor)) + added(index);
    index += 1;
    if (index < SIZE) return;
    state[0] = state[SIZE - 1] ?? 0;
    index = 1;
  };
  for (let count = 0; count < Math.max(SIZE, key.length); count += 1) {
    const at = count % key.length;
    step(1664525, () => (key[at] ?? 0) + at);
  }
  for (let count = 1; count < SIZE; count += 1) step(1566083941, (at) => -at);
  state[0] = 0x80000000;
  return state;
}
