import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { privateKeyToAddress } from 'viem/accounts';
import { startDevnet } from '../../../server/dev/devnet/start-devnet.ts';
import { leasedSignerKey } from '../../support/chain/lease-devnet.ts';
import { openFarLab } from '../../support/service/far-lab.ts';
import { farNodePage, measureRows, pageWith } from './far-node-table.ts';

/**
 * `npm run bench:far-node`: what the service asks a node that is 100 ms away, how often it waits for it, and how long an answer takes.
 * `-- --write` also writes the table of docs/performance.md.
 */
const distanceMs = 100;
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const devnet = await startDevnet({ port: 0, paymasterSigner: privateKeyToAddress(leasedSignerKey) });
const lab = await openFarLab(distanceMs, { devnet });
try {
  const rows = await measureRows(lab);
  for (const row of rows) process.stdout.write(`${row.join(' | ')}\n`);
  if (values.write) writeFileSync(farNodePage, pageWith(rows));
} finally {
  await lab.close();
  await devnet.close();
}
