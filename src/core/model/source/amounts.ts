/** `1 error`, `2 errors`. */
export function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `10,000` */
export function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** `lb1, lb2 and 3 more`: at most `limit` names, and after the first one no more than fit in `room`. */
export function nameSome(names: readonly string[], limit: number, room = Infinity): string {
  let [shown, width] = [0, 0];
  for (const name of names.slice(0, limit)) {
    width += name.length + 2;
    if (shown > 0 && width > room) break;
    shown += 1;
  }
  const listed = names.slice(0, shown).join(', ');
  return shown === names.length ? listed : `${listed} and ${grouped(names.length - shown)} more`;
}
