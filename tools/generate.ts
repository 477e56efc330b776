import { runGenerators } from './generators.ts';

/** Writes all generated files again. */
if (!(await runGenerators())) process.exit(1);
