import type { TaskFinished } from '../../model/run/event.js';
import type { Counted } from '../../model/run/journal.js';

/** What the recap looks at. */
export type CountedTask = Pick<TaskFinished, 'controller' | 'item' | 'round'> & Counted;
