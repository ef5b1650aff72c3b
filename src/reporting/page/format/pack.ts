interface ArrayType<A> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer): A;
}
type Types = Readonly<Record<string, ArrayType<Uint8Array | Uint16Array | Uint32Array>>>;

/** An array of the given type for each name. */
export type ArraysOf<T> = { readonly [K in keyof T]: T[K] extends ArrayType<infer A> ? A : never };

// Bytes: the length of the JSON (4 bytes), the JSON, then for each array its length in bytes (4 bytes) and its elements.
// All numbers are little-endian, as on every machine that has browsers or runs Node.
const LENGTH_BYTES = 4;

/** A value and arrays as one sequence of bytes, in the order of `types`. */
export function pack<T extends Types>(head: unknown, types: T, arrays: ArraysOf<T>): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(head));
  const parts = [json, ...Object.keys(types).map((name) => toBytes(arrays[name]))];
  const packed = new Uint8Array(parts.reduce((sum, part) => sum + LENGTH_BYTES + part.length, 0));
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at, part.length, true);
    packed.set(part, at + LENGTH_BYTES);
    at += LENGTH_BYTES + part.length;
  }
  return packed;
}

function toBytes(array: unknown): Uint8Array {
  if (!ArrayBuffer.isView(array)) throw new TypeError('an array is missing');
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** The value and the arrays that `pack` encoded. @throws Error if bytes are missing */
export function unpack<T extends Types>(
  packed: Uint8Array<ArrayBuffer>,
  types: T,
): { readonly head: unknown; readonly arrays: ArraysOf<T> } {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let at = 0;
  const next = (): Uint8Array<ArrayBuffer> => {
    const length = view.getUint32(at, true);
    const part = packed.slice(at + LENGTH_BYTES, at + LENGTH_BYTES + length);
    if (part.length !== length) throw new Error('the data is cut off');
    at += LENGTH_BYTES + length;
    return part;
  };
  const head: unknown = JSON.parse(new TextDecoder().decode(next()));
  const arrays = Object.entries(types).map(([name, type]) => [name, new type(next().buffer)] as const);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `arrays` has one entry for each entry of `types`
  return { head, arrays: Object.fromEntries(arrays) as ArraysOf<T> };
}
