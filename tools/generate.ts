import { runGenerators } from './generators.ts';

/** Writes all generated files again. */
const failed = await runGenerators();
process.stdout.write(failed.length === 0 ? 'All files are generated.\n' : `Not generated: ${failed.join(', ')}.\n`);
process.exit(failed.length === 0 ? 0 : 1);
