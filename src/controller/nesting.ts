/** No object of a controller is nested deeper. Whatever walks through a value by calling itself has room for many times as much. */
export const DEEPEST = 200;

/** Whether a value from JSON is nested deeper than any controller's object. (The parser itself takes any depth.) */
export function isTooDeep(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return items.some((item) => typeof item === 'object' && isTooDeep(item, levels - 1));
}
