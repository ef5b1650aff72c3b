/**
 * Runs the work for every item, at most `count` at once, started in order. Rejects as soon as one rejects; running ones continue
 * unobserved.
 */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  count: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) await work(items[index] as Item, index);
  };
  await Promise.all(Array.from({ length: Math.min(Math.max(1, count), items.length) }, worker));
}
