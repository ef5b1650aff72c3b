import type { Order } from './play_settings.js';

/** The controllers of a play in the order in which `order` has them take their turns. `inventory` is the order given. */
export function inOrder(controllers: readonly string[], order: Order): readonly string[] {
  switch (order) {
    case 'inventory':
      return controllers;
    case 'reverse_inventory':
      return controllers.toReversed();
    case 'sorted':
      return sorted(controllers);
    case 'reverse_sorted':
      return sorted(controllers).toReversed();
    case 'shuffle':
      return shuffled(controllers);
    default:
      return order satisfies never;
  }
}

/** In the order in which the play had them before the run was cut off; undefined if it had not begun. */
export function inOrderOf(
  before: readonly string[] | undefined,
  controllers: readonly string[],
): readonly string[] | undefined {
  if (before === undefined) return undefined;
  const given = new Set(controllers);
  return [...new Set([...before.filter((name) => given.has(name)), ...controllers])];
}

function sorted(names: readonly string[]): readonly string[] {
  return names.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Fisher and Yates. */
function shuffled(names: readonly string[]): readonly string[] {
  const left = [...names];
  return names.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0] ?? '');
}
