import { resolve } from 'node:path';
import { startReadyNode } from '../support/packages/ready-node.ts';
import { prepareServiceFolder } from '../support/packages/service-folder.ts';

/** `npm run bench:start`: from the start of `tollfree node` to its first good `/readyz`, compiled and from its sources. */
const rounds = Number(process.argv[2] ?? 7);
const root = resolve(import.meta.dirname, '../..');
const programs = {
  compiled: [process.execPath, resolve(root, 'dist/server/tollfree.js')],
  'from sources': [
    ...[process.execPath, '--conditions=@tollfree/source', '--import', 'tsx'],
    resolve(root, 'server/tollfree.ts'),
  ],
} as const;

const folder = await prepareServiceFolder(programs.compiled);
for (const [name, program] of Object.entries(programs)) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const node = await startReadyNode(program, { configFile: folder.configFile });
    times.push(Math.round(node.readyAfterMs));
    await node.stop();
  }
  times.sort((first, second) => first - second);
  const middle = times[Math.floor(times.length / 2)];
  process.stdout.write(`${name}: median ${middle} ms, of ${times.join(', ')}\n`);
}
await folder.close();
