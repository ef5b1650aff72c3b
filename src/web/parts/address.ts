import { useCallback, useEffect, useState } from 'preact/hooks';
import { VIEW_ORDERS, type ViewOrder } from '../data/view.js';

/** What the address of the page records, so that a link shows the same. */
export interface PageAddress {
  readonly query: string;
  /** Absent: by outcome if something failed, else by group. */
  readonly order: ViewOrder | undefined;
  /** A table instead of the picture of the matrix. */
  readonly table: boolean;
  /** The name of a controller, and the number of a step. Without a step, all steps of the controller are shown. */
  readonly controller: string | undefined;
  readonly step: number | undefined;
}

export type Go = (change: Partial<PageAddress>) => void;

function read(): PageAddress {
  const given = new URLSearchParams(location.hash.slice(1));
  const step = Number.parseInt(given.get('step') ?? '', 10);
  return {
    query: given.get('q') ?? '',
    order: VIEW_ORDERS.find((one) => one === given.get('order')),
    table: given.has('table'),
    controller: given.get('controller') ?? undefined,
    step: Number.isNaN(step) ? undefined : step,
  };
}

function written({ query, order, table, controller, step }: PageAddress): string {
  const entries: Record<string, string> = {
    ...(query !== '' && { q: query }),
    ...(order !== undefined && { order }),
    ...(table && { table: '' }),
    ...(controller !== undefined && { controller }),
    ...(step !== undefined && { step: String(step) }),
  };
  return `#${new URLSearchParams(entries).toString()}`;
}

export function useAddress(): readonly [address: PageAddress, go: Go] {
  const [address, setAddress] = useState(read);
  useEffect(() => {
    const update = (): void => setAddress(read());
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  const go = useCallback(
    (change: Partial<PageAddress>) =>
      setAddress((now) => {
        const next = { ...now, ...change };
        history.replaceState(null, '', written(next));
        return next;
      }),
    [],
  );
  return [address, go];
}
