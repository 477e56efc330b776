import { mkdirSync } from 'node:fs';
import { cruise } from './cruise.ts';
import { runStep } from './run-step.ts';

const cacheFolder = 'node_modules/.cache';
const file = `${cacheFolder}/tollfree-graph.mmd`;

const productPattern = '^(contract|proto|core|gateway|clients)/';

/** One box per folder of the core, per client and per other top-level folder. */
const folderPattern = '^((core|clients)/[^/]+|contract|proto|gateway)';

/** `npm run graph`: writes a Mermaid diagram of who imports whom. */
mkdirSync(cacheFolder, { recursive: true });
const options = ['--include-only', productPattern, '--collapse', folderPattern, '--output-type', 'mermaid'];
const drawn = await runStep('imports between folders', process.execPath, cruise(...options, '--output-to', file));
if (drawn) process.stdout.write(`The diagram is in ${file}.\n`);
process.exit(drawn ? 0 : 1);
