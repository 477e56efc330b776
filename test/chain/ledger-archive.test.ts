import { dirname, join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { connectCore } from '../../core/grpc/client.ts';
import { openHandle } from '../../core/store/sqlite/open-handle.ts';
import { accepted } from '../../server/accepted.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { registerPaymaster } from '../../server/dev/register-paymaster.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { type NodeAddresses, type NodeProcess, prepareNodeProcess } from '../support/command-line/node-process.ts';
import { runInProcess } from '../support/command-line/run-in-process.ts';
import { readHolds, readTank } from '../support/service/chain-ledger.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, withAnswer } from '../support/service/chain-sponsorship.ts';

const fundingKey = deriveDevKey(1);
const wallet = privateKeyToAccount(fundingKey).address;
const patience = { timeout: 30_000, interval: 100 };

let node: NodeProcess;
let location: NodeAddresses;
let paymaster: Pick<DevPaymaster, 'apiKey' | 'address'>;
beforeAll(async () => {
  node = await prepareNodeProcess(0);
  location = await node.start();
  const { core, close } = connectCore({ address: location.grpc });
  const { accountId } = accepted(await core.createAccount({ name: 'archive' }));
  const { authToken } = accepted(await core.createAuthToken({ accountId, name: 'test' }));
  close();
  const management = createManagementClient({ baseUrl: location.url, authToken });
  paymaster = await registerPaymaster({ devnet: node.devnet, management, gatewayUrl: location.url }, '0.7', fundingKey);
});
afterAll(() => node.close());

const tank = () => readTank(node.databaseFile, paymaster.address, wallet);

async function landOne(): Promise<void> {
  const { devnet } = node;
  const account = newSmartAccount('0.7');
  const operation = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  const rpcUrl = `${location.url}/api/v1/${devnet.chainId}/${paymaster.apiKey}`;
  const answer = signedAnswer(await askSponsorship(rpcUrl, operation));
  await land(devnet, account, withAnswer(operation, answer));
  const states = () => readHolds(node.databaseFile, paymaster.address, wallet).map(({ state }) => state);
  await vi.waitFor(() => expect(new Set(states())).toEqual(new Set(['settled'])), patience);
}

/** As if the operations so far had landed a hundred days and as many thousand blocks ago. */
function age(): void {
  const database = openHandle(node.databaseFile);
  database.exec('DROP TRIGGER journal_are_not_changed');
  for (const table of ['journal', 'holds', 'signatures']) {
    database.exec(`UPDATE ${table} SET created_at = created_at - ${100 * 86_400}`);
  }
  database.exec(`UPDATE holds SET ended_at = ended_at - ${100 * 86_400}, landed_block = landed_block - 100000`);
  database.exec('UPDATE journal SET block_number = block_number - 100000');
  database.exec('DELETE FROM decisions; DELETE FROM signed_terms');
  database.close();
}

async function operate(...command: readonly string[]) {
  const config = join(dirname(node.databaseFile), 'config.json');
  const { code, stdout, stderr } = await runInProcess(...command, '--config', config, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

test('a ledger whose old operations are archived agrees with the chain to the wei, and goes on', async () => {
  await landOne();
  await landOne();
  await node.kill();
  age();
  location = await node.start();
  await landOne();
  const before = tank();
  const file = join(dirname(node.databaseFile), 'archive.jsonl.gz');

  const archived = await operate('ledger', 'archive', '--older-than', '90d', '--out', file);
  // Of each operation: its entry, its hold, and the two names that it was signed under.
  expect(archived).toEqual({ rows: expect.any(Number), file });
  expect(archived.rows).toBeGreaterThanOrEqual(2 * 4);
  expect(readHolds(node.databaseFile, paymaster.address, wallet)).toHaveLength(1);
  expect(tank()).toEqual(before);
  const check = async () => {
    const reports: readonly { verdict: string; difference: string }[] = await operate('ledger', 'check', '--all-rows');
    expect(reports.filter(({ verdict }) => verdict !== 'adds up')).toEqual([]);
  };
  await check();
  const read = await runInProcess('ledger', 'read-archive', file, '--json');
  expect(JSON.parse(read.stdout)).toMatchObject({ rows: archived.rows });
  // There is nothing left to do, also without a file.
  expect((await operate('ledger', 'archive', '--older-than', '90d', '--out', file)).rows).toBe(0);
  expect((await operate('ledger', 'archive', '--older-than', '90d')).rows).toBe(0);

  await landOne();
  await check();
  const newer = await runInProcess('ledger', 'archive', '--older-than', '39d');
  expect(newer).toMatchObject({ code: 1, stderr: expect.stringContaining('from 40d to 36500d') });
});
