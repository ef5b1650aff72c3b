import { record as recordExpressions } from '../language/ansible/recording.js';
import { ansibleRecording, GENERATED } from './generated/cases.js';
import { record as recordInventories } from './inventories/recording.js';
import { record as recordPatterns } from './patterns/recording.js';
import { record as recordPrecedence } from './precedence/recording.js';
import { ansibleAnswers } from './rig/ansible_answers.js';
import { readCases } from './rig/cases.js';
import { recordingOf, writeRecording } from './rig/recordings.js';

/** Recordings other than those of playbooks. */
const OTHERS: Readonly<Record<string, () => Promise<void>>> = {
  [GENERATED]: async () => writeRecording(GENERATED, await ansibleRecording()),
  precedence: recordPrecedence,
  patterns: recordPatterns,
  inventories: recordInventories,
  expressions: recordExpressions,
};

// Asks Ansible again (the one that EVENKEEL_ANSIBLE names, else 2.14), about what is named or about all. Read what is new before you commit it.
const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);

const files = (await readCases()).filter(({ name }) => isWanted(name));
const answers = await ansibleAnswers(files.flatMap(({ cases }) => cases));
let start = 0;
for (const file of files) {
  await writeRecording(file.name, recordingOf(file, answers.slice(start, start + file.cases.length)));
  start += file.cases.length;
}
for (const [name, record] of Object.entries(OTHERS)) if (isWanted(name)) await record();
