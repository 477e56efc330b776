import { generators } from './generators.ts';
import { runStep } from './run-step.ts';

/** Writes all generated files again. */
const succeeded = generators.every(({ name, command, args }) => runStep(name, command, args));
process.exit(succeeded ? 0 : 1);
