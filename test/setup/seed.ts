import fc from 'fast-check';
import { SEED } from '../runs.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
