import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { privateKeyToAddress } from 'viem/accounts';
import { createManagementClient } from '../../../clients/sdk/create-management-client.ts';
import { startLocalCore } from '../../../core/local.ts';
import { openStore } from '../../../core/store/open-store.ts';
import { accepted } from '../../../server/accepted.ts';
import { openDevState } from '../../../server/dev/dev-state.ts';
import { deriveDevKey } from '../../../server/dev/devnet/dev-keys.ts';
import { startDevnet } from '../../../server/dev/devnet/start-devnet.ts';
import { registerPaymaster } from '../../../server/dev/register-paymaster.ts';
import { systemClock } from '../../../server/system-clock.ts';
import { silentLogger } from '../../support/logging/recording-logger.ts';
import { fillDatabase, filledTransaction } from '../../support/store/fill-database.ts';
import { benchCoreConfig } from '../bench-core-config.ts';
import type { BenchTarget } from '../bench-target.ts';
import { deployAccount } from '../deploy-account.ts';
import { startBenchGateway } from '../gateway.ts';
import { nextNonceKey, requestKinds, requestOf } from '../request-kinds.ts';
import { watchTurns } from '../turn-time.ts';

/** How an account is used. */
export type Tenant = { readonly url: string; readonly authToken: string; readonly apiKey: string };

/** A service whose database is filled with what `greedy` has decided, and the target of another tenant's requests. */
export type ReadsTarget = BenchTarget & { readonly greedy: Tenant; readonly modest: Tenant; readonly txHash: string };

/** One node with two tenants, of whom one has a large ledger. Runs as a child process; the argument is the URL of a PostgreSQL database. */
const [databaseUrl] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'tollfree-reads-'));
const state = openDevState(folder);
const devnet = await startDevnet({
  port: 0,
  paymasterSigner: privateKeyToAddress(state.signerKey.reveal()),
  // A chain without a new block for long is not signed on.
  idleBlockSeconds: 5,
});
const startBlock = await devnet.client.getBlockNumber();
const config = benchCoreConfig({ devnet, startBlock, databaseUrl }, state);

async function open() {
  const local = await startLocalCore(config, { logger: silentLogger, clock: systemClock });
  return { local, gateway: await startBenchGateway(local.core) };
}

const small = await open();
const senders = [await deployAccount(devnet)];
const [token] = devnet.tokens;
if (token === undefined) throw new Error('The development chain has no token.');

async function addTenant(name: string, wallet: number) {
  const { accountId } = accepted(await small.local.core.createAccount({ name }));
  const { authToken } = accepted(await small.local.core.createAuthToken({ accountId, name }));
  const management = createManagementClient({ baseUrl: small.gateway.url, authToken });
  const registration = { devnet, management, gatewayUrl: small.gateway.url };
  return { authToken, ...(await registerPaymaster(registration, '0.7', deriveDevKey(wallet))) };
}

const greedy = await addTenant('greedy', 1);
await signOnce();
const modest = await addTenant('modest', 2);
await small.gateway.close();
await small.local.close();
const store = await openStore(config.database);
await fillDatabase(store);
// As PostgreSQL does by itself a minute later, but not the server of the tests: without statistics its plans are those of an empty table.
if (databaseUrl !== undefined) await sql`ANALYZE`.execute(store.db);
await store.close();
const { local, gateway } = await open();

/** The decision that the others are made like. */
async function signOnce(): Promise<void> {
  const { rpcUrl, address: paymaster, entryPoint } = greedy;
  const target = {
    rpcUrl,
    senders,
    target: devnet.target.address,
    token: token?.address ?? '0x',
    paymaster,
    entryPoint,
  };
  for (;;) {
    const request = requestOf(requestKinds.SPONSORED.bodies[0], target, nextNonceKey());
    const answer = await fetch(rpcUrl, { method: 'POST', ...request });
    if ('result' in ((await answer.json()) as object)) return;
    // The deposit is not in the ledger yet.
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const longestTurn = watchTurns();
process.on('message', () => process.send?.(longestTurn()));
process.once('disconnect', () => void close());

async function close(): Promise<void> {
  await gateway.close();
  await local.close();
  await devnet.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

const tenant = ({ authToken, apiKey }: typeof greedy): Tenant => ({ url: gateway.url, authToken, apiKey });
const target: ReadsTarget = {
  rpcUrl: `${gateway.url}/api/v1/${devnet.chainId}/${modest.apiKey}`,
  senders,
  target: devnet.target.address,
  token: token.address,
  paymaster: modest.address,
  entryPoint: modest.entryPoint,
  greedy: tenant(greedy),
  modest: tenant(modest),
  txHash: filledTransaction,
};
process.send?.(target);
