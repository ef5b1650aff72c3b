import { writeRecording } from '../rig/recordings.js';
import { ansibleRecording, GENERATED } from './cases.js';

// Asks the installed Ansible again.
await writeRecording(GENERATED, await ansibleRecording());
