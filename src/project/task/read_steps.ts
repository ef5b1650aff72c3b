import { isList } from '../../core/model/values/value.js';
import { describeKind, type Cursor } from '../document/cursor.js';
import type { Inherited } from '../keywords/inherited.js';
import { inFile, type LoadedSteps, type ReadContext, type StepKind } from './read_context.js';

export interface StepFile {
  /** Absolute. */
  readonly path: string;
  /** Its name in the include or import; the file's own name if there is none. */
  readonly written?: string | undefined;
  /** The include or import that names it: mistakes go to its diagnostics. */
  readonly at: Cursor;
}

/** The steps of a file; none if it is empty or invalid. Uses the context of the include or import. */
export async function readSteps<Kind extends StepKind>(
  kind: Kind,
  file: StepFile,
  context: ReadContext,
  inherited: Inherited,
): Promise<LoadedSteps[Kind]> {
  const list = await listIn(file, context);
  return context.reader.load[kind](list, inFile(context, file.path, file.written), inherited);
}

async function listIn({ path, at }: StepFile, { reader: { files } }: ReadContext): Promise<Cursor | undefined> {
  const taken = files.take();
  if (taken === 'too many now') {
    at.error(
      `task files are read more than ${files.most} times`,
      'each file that names another twice doubles the number',
    );
  }
  const cursor = taken === 'fine' ? await files.read(path, at.diagnostics) : undefined;
  if (cursor?.value == null) return undefined;
  if (isList(cursor.value)) return cursor;
  cursor.error(`a file of tasks is a list; this one holds ${describeKind(cursor.value)}`, 'begin each task with "- "');
  return undefined;
}
