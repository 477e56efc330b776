import { parseEther } from 'viem';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  depositOf,
  newSmartAccount,
  nextOperation,
  type SmartAccount,
  targetCall,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import {
  forward,
  type RpcRequest,
  type RpcServer,
  respond,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';
import { askSponsorship, prefundOf, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import type { ProductionService } from '../support/service/production-service.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

/** What the node in front of the chain does with a question; undefined to answer as the chain does. */
let misbehave: (request: RpcRequest) => unknown = () => undefined;
let node: RpcServer | undefined;

const service = useProductionService({
  ownNode: true,
  settings: async ({ rpcUrl }) => {
    node = await startRpcServer(async (request, response) => {
      const answer = misbehave(request);
      respond(
        response,
        answer === undefined ? await forward(rpcUrl, request) : { jsonrpc: '2.0', id: request.id, result: answer },
      );
    });
    return { chain: { nodeUrls: [node.url] } };
  },
});
afterEach(() => {
  misbehave = () => undefined;
});

/** How long the ledger of a busy machine may take to follow. */
const patience = { timeout: 30_000, interval: 100 };

async function sponsored({ devnet }: ProductionService, tank: ProductionTank): Promise<Landable> {
  const account = newSmartAccount(tank.version);
  const drafted = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  const answer = await sponsor(tank.rpcUrl, drafted, { expiryDuration: 60 });
  return { account, drafted, answer, operation: withAnswer(drafted, answer) };
}
type Landable = {
  readonly account: SmartAccount;
  readonly drafted: DevUserOperation;
  readonly answer: Awaited<ReturnType<typeof sponsor>>;
  readonly operation: DevUserOperation;
};

/** The operator's check, which fails unless ledger and chain agree to the wei, and what it says of one contract. */
async function checkedDeposit({ contract }: ProductionTank): Promise<string | undefined> {
  const report = await service().operate('ledger', 'check');
  const [, part] = report.split(`contract ${contract}, `);
  return /deposit in ledger\s+\S+ ether \((\d+) wei\)/.exec(part ?? '')?.[1];
}

describe('a node that leaves out what has landed', () => {
  test('lets no account spend wei of another, and the ledger is exact once it reports them', async () => {
    const { devnet } = service();
    const rich = await fundedTank(service(), { family: '0.7', amount: parseEther('1') });
    const { operation: measured, answer } = await sponsored(service(), rich);
    const worstCase = prefundOf(measured, answer);
    // Enough for one operation, and not for two.
    const poor = await fundedTank(service(), { family: '0.7', amount: (worstCase * 3n) / 2n });
    const first = await sponsored(service(), poor);
    misbehave = ({ method }) => (method === 'eth_getLogs' ? [] : undefined);
    const { success } = await land(devnet, first.account, first.operation);
    expect(success).toBe(true);
    await devnet.client.increaseTime({ seconds: 90 });
    await mineConfirmations(devnet);
    await mineConfirmations(devnet);

    // Its signature has ended on chain, and no one has told the ledger what became of it.
    await expect
      .poll(async () => node?.requests.filter(({ method }) => method === 'eth_getLogs').length, patience)
      .toBeGreaterThan(20);
    const again = await nextOperation(devnet, newSmartAccount('0.7'), [targetCall(devnet, 'increment')]);
    expect(await askSponsorship(poor.rpcUrl, again)).toMatchObject({ reason: 'INSUFFICIENT_FUNDS' });
    expect(BigInt((await poor.management.readGasTank({ apiKey: poor.apiKey })).held)).toBeGreaterThan(0n);

    misbehave = () => undefined;
    const settled = () => poor.management.readGasTank({ apiKey: poor.apiKey }).then((tank) => BigInt(tank.settled));
    await expect.poll(settled, patience).toBeGreaterThan(0n);
    expect(await checkedDeposit(poor)).toBe(String(await depositOf(devnet, '0.7', poor.contract)));
  });
});

describe('a reorganisation deeper than the confirmations', () => {
  test('is rolled back without help, and what lands again is posted once', async () => {
    const { devnet } = service();
    const tank = await fundedTank(service(), { family: '0.7', amount: parseEther('1') });
    const signed = await sponsored(service(), tank);
    const read = () => tank.management.readGasTank({ apiKey: tank.apiKey });
    await land(devnet, signed.account, signed.operation);
    await mineConfirmations(devnet);
    await expect.poll(async () => BigInt((await read()).settled), patience).toBeGreaterThan(0n);

    // The block that it has landed in, and one before it.
    await devnet.client.request({ method: 'anvil_reorg' as never, params: [12, []] as never });
    await mineConfirmations(devnet);
    await expect.poll(async () => BigInt((await read()).settled), patience).toBe(0n);
    expect(await checkedDeposit(tank)).toBe(String(await depositOf(devnet, '0.7', tank.contract)));

    await vi.waitFor(async () => {
      const answer = await sponsor(tank.rpcUrl, signed.drafted);
      await land(devnet, signed.account, withAnswer(signed.drafted, answer));
    }, patience);
    await mineConfirmations(devnet);
    await expect.poll(async () => BigInt((await read()).settled), patience).toBeGreaterThan(0n);
    expect(await checkedDeposit(tank)).toBe(String(await depositOf(devnet, '0.7', tank.contract)));
  });
});
