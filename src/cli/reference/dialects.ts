import { HABITS, type Habit } from '../../load/project/habits.js';
import type { Dialect } from '../../model/dialect.js';

/** A table of what each dialect says, with a line on each habit. */
export function dialectsText(dialects: readonly Dialect[]): string {
  const rows = [
    ['', ...dialects.map(({ name }) => name)],
    ...HABITS.map((habit) => [habit.name, ...dialects.map((dialect) => shownHabit(habit, dialect))]),
  ];
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const about = HABITS.map(({ name, description }) => `  ${name.padEnd(widths[0] ?? 0)}  ${description}`);
  return [
    'controller_dialect names one of these. "dialects" in evenkeel.yml defines more.\n',
    ...table,
    '',
    ...about,
    '',
  ].join('\n');
}

/** By name, as the project file would write it. */
export function dialectsJson(dialects: readonly Dialect[]): string {
  const habits = dialects.map((dialect) => [
    dialect.name,
    Object.fromEntries(HABITS.map((habit) => [habit.name, habit.of(dialect) ?? null])),
  ]);
  return `${JSON.stringify(Object.fromEntries(habits), undefined, 2)}\n`;
}

export function shownHabit(habit: Habit, dialect: Dialect): string {
  const value = habit.of(dialect);
  if (value === undefined) return 'none';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
