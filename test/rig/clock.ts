/** Runs with a clock that moves only by these milliseconds, and not while somebody waits. Returns what `act` returns. */
export async function withClock<T>(act: (move: (milliseconds: number) => void) => Promise<T>): Promise<T> {
  let time = 1000;
  performance.now = () => time;
  try {
    return await act((milliseconds) => {
      time += milliseconds;
    });
  } finally {
    Reflect.deleteProperty(performance, 'now');
  }
}
