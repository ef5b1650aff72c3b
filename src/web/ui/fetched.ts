import { useEffect, useState } from 'preact/hooks';

export type Fetched<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly message: string };

/** What the server answers. @throws Error with its message */
export async function ask(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(await response.text());
  return response;
}

/** JSON of the server, read again every few seconds. Its shape is not checked, because both sides have the same version. */
export function useFetched<T>(path: string, seconds?: number): Fetched<T> {
  const [fetched, setFetched] = useState<Fetched<T>>({ status: 'loading' });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const read = async (): Promise<void> => {
      try {
        const response = await ask(path);
        const value = (await response.json()) as T;
        if (!isGone) setFetched({ status: 'ready', value });
      } catch (error) {
        if (!isGone) setFetched({ status: 'failed', message: String(error) });
      }
      if (!isGone && seconds !== undefined) timer = setTimeout(() => void read(), seconds * 1000);
    };
    void read();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [path, seconds]);
  return fetched;
}
