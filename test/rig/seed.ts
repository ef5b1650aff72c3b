import fc from 'fast-check';
import { SEED } from './random_seed.js';

// What fails on one machine fails on all, and a change does not fail by chance for what was there before it.
fc.configureGlobal({ seed: SEED });
