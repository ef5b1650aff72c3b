import { ansibleAnswers } from './rig/ansible_answers.js';
import { readCases } from './rig/cases.js';
import { recordingOf, writeRecording } from './rig/recordings.js';

// Asks the installed Ansible again, about the files that are named or about all. Read what is new before it is committed.
const wanted = process.argv.slice(2);
const files = (await readCases()).filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const answers = await ansibleAnswers(files.flatMap(({ cases }) => cases));
let start = 0;
for (const file of files) {
  await writeRecording(file.name, recordingOf(file, answers.slice(start, start + file.cases.length)));
  start += file.cases.length;
}
