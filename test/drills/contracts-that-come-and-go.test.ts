import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { LedgerReport } from '../../core/domain/ledger-report.ts';
import { connectCore } from '../../core/grpc/client.ts';
import { accepted } from '../../server/accepted.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { registerPaymaster } from '../../server/dev/register-paymaster.ts';
import {
  depositOf,
  fillTank,
  newSmartAccount,
  nextOperation,
  targetCall,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { type NodeAddresses, type NodeProcess, prepareNodeProcess } from '../support/command-line/node-process.ts';
import {
  forward,
  type RpcRequest,
  type RpcServer,
  respond,
  respondError,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';

/** Blocks of which the node in front of the chain tells the events at a time. */
const maxRange = 3n;
const strayDeposit = 12_345n;
/** What a paymaster of the development chain is registered with. */
const tankDeposit = parseEther('100');

let service: NodeProcess;
let node: NodeAddresses;
let inFront: RpcServer;
let authToken: string;

beforeAll(async () => {
  service = await prepareNodeProcess(1);
  const { rpcUrl } = service.devnet;
  inFront = await startRpcServer(async (request, response) => {
    if (isTooWide(request)) return respondError(response, request, -32005, 'query exceeds max block range');
    respond(response, await forward(rpcUrl, request));
  });
}, 60_000);
afterAll(async () => {
  await service.close();
  await inFront.close();
});

function isTooWide({ method, params }: RpcRequest): boolean {
  if (method !== 'eth_getLogs') return false;
  const [{ fromBlock, toBlock }] = z.tuple([z.object({ fromBlock: z.string(), toBlock: z.string() })]).parse(params);
  return BigInt(toBlock) - BigInt(fromBlock) >= maxRange;
}

async function startWith(...versions: readonly EntryPointVersion[]): Promise<void> {
  await service.kill();
  service.configureChain({ versions, nodeUrl: inFront.url });
  node = await service.start();
}

async function register(version: EntryPointVersion): Promise<DevPaymaster> {
  const management = createManagementClient({ baseUrl: node.url, authToken });
  const { devnet } = service;
  const registered = await registerPaymaster({ devnet, management, gatewayUrl: node.url }, version, deriveDevKey(1));
  await devnet.client.mine({ blocks: 1 });
  return registered;
}

async function signed({ apiKey, entryPointVersion: version }: DevPaymaster) {
  const { devnet } = service;
  const account = newSmartAccount(version);
  const drafted = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  const url = `${node.url}/api/v1/${devnet.chainId}/${apiKey}`;
  const answer = await vi.waitFor(() => sponsor(url, drafted), { timeout: 20_000 });
  return { account, operation: withAnswer(drafted, answer) };
}

async function landNow({ account, operation }: Awaited<ReturnType<typeof signed>>): Promise<void> {
  expect((await land(service.devnet, account, operation)).success).toBe(true);
  await service.devnet.client.mine({ blocks: 2 });
}

async function reports(): Promise<readonly LedgerReport[]> {
  const { core, close } = connectCore({ address: node.grpc });
  try {
    return accepted(await core.checkLedger({ allRows: false }));
  } finally {
    close();
  }
}

/** The contract's ledger once they have settled so much for its tanks, which is all that has happened. */
async function exactLedger({ address, entryPointVersion: version }: DevPaymaster, atLeast: bigint) {
  return vi.waitFor(
    async () => {
      const report = (await reports()).find(({ contract }) => contract === address);
      const deposit = await depositOf(service.devnet, version, address);
      expect(report).toMatchObject({ state: 'compared', bookDeposit: deposit, difference: 0n, held: 0n, faults: [] });
      if (report === undefined || report.settled <= atLeast)
        throw new Error('What has landed is not in the ledger yet.');
      expect(report.settled).toBe(report.funded + report.unattributedDeposits - deposit);
      return report;
    },
    { timeout: 30_000 },
  );
}

test('a funded contract that is removed and added again keeps its whole ledger, and the other contract goes on', async () => {
  const { devnet } = service;
  await startWith('0.7');
  const { core, close } = connectCore({ address: node.grpc });
  const { accountId } = accepted(await core.createAccount({ name: 'drill' }));
  ({ authToken } = accepted(await core.createAuthToken({ accountId, name: 'test' })));
  close();
  const old = await register('0.7');
  await landNow(await signed(old));
  const first = await exactLedger(old, 0n);

  const stranger = await walletWith(devnet, 10n ** 18n);
  await fillTank(devnet, '0.8', stranger, strayDeposit);
  await startWith('0.7', '0.8');
  const added = await register('0.8');
  await landNow(await signed(added));
  const second = await exactLedger(added, 0n);
  expect(second.funded + second.unattributedDeposits).toBe(tankDeposit + strayDeposit);
  await landNow(await signed(old));
  const third = await exactLedger(old, first.settled);

  const open = await signed(added);
  await startWith('0.7');
  await landNow(open);
  await landNow(await signed(old));
  await exactLedger(old, third.settled);
  await startWith('0.7', '0.8');
  await exactLedger(added, second.settled);
}, 180_000);
