import { generators } from './generators.ts';
import { runStep } from './run-step.ts';

/** Writes all generated files again. */
for (const { name, command, args } of generators) if (!(await runStep(name, command, args))) process.exit(1);
