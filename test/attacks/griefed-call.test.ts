import { join } from 'node:path';
import { type Address, encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem';
import { describe, expect, test, vi } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { bundler, depositOf, newSmartAccount, nextOperation } from '../support/chain/chain-lab.ts';
import { deploy } from '../support/chain/deploy-code.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { encodeHandleOps } from '../support/chain/own-bundles.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import type { ProductionService } from '../support/service/production-service.ts';
import { fundedTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { allowBundler, namedBundler } from './allow-bundler.ts';

const compiled = compileSolidity(join(import.meta.dirname, 'contracts/LockedTarget.sol'));
const targetAbi = parseAbi(['function increment()', 'function count() view returns (uint256)']);
const grieferAbi = parseAbi(['function grief(address target, address entryPoint, bytes bundle)']);

function creationOf(name: string): Hex {
  const found = compiled.get(name);
  if (found === undefined) throw new Error(`There is no contract ${name}.`);
  return found.creationBytecode;
}

/** A signed operation that calls a contract with a reentrancy guard, which a stranger then has handled while that is locked. */
async function griefed(service: ProductionService, version: EntryPointVersion) {
  const { devnet } = service;
  const tank = await fundedTank(service, { family: version, amount: parseEther('10') });
  const { management, apiKey } = tank;
  const [target, griefer] = [
    await deploy(devnet, creationOf('LockedTarget')),
    await deploy(devnet, creationOf('Griefer')),
  ];
  await management.registerSmartContract({
    apiKey,
    name: 'lender',
    address: target,
    abi: targetAbi,
    whitelistedMethods: ['increment'],
  });
  const events = ['operation.settled' as const, 'operation.failed' as const, 'operation.diverged' as const];
  await management.createNotification({ apiKey, url: 'http://127.0.0.1:9/told', events });
  const account = newSmartAccount(version);
  const call = { to: target, data: encodeFunctionData({ abi: targetAbi, functionName: 'increment' }) };
  const operation = await nextOperation(devnet, account, [call]);
  const signed = await signUserOperation(
    devnet,
    withAnswer(operation, await sponsor(tank.rpcUrl, operation)),
    account.owner,
  );
  const before = await depositOf(devnet, version, tank.contract);
  const outcome = await grief(service, {
    version,
    target,
    griefer,
    bundle: encodeHandleOps([signed], { address: griefer }),
  });
  const count = await devnet.client.readContract({ address: target, abi: targetAbi, functionName: 'count' });
  const lost = before - (await depositOf(devnet, version, tank.contract));
  return { tank, signed, outcome, count, lost };
}

async function grief(
  { devnet: { client, entryPoints } }: ProductionService,
  { version, target, griefer, bundle }: { version: EntryPointVersion; target: Address; griefer: Address; bundle: Hex },
): Promise<'success' | 'reverted'> {
  const data = encodeFunctionData({ abi: grieferAbi, args: [target, entryPoints[version], bundle] });
  const hash = await client.sendTransaction({
    account: bundler,
    chain: client.chain,
    to: griefer,
    data,
    gas: 8_000_000n,
  });
  return (await client.waitForTransactionReceipt({ hash })).status;
}

/** The types of what has been queued for the paymaster's URL. */
async function queued({ management, apiKey }: Awaited<ReturnType<typeof griefed>>['tank']): Promise<readonly string[]> {
  const { deliveries } = await management.listNotificationDeliveries({ apiKey });
  return deliveries.map(({ type }) => type).toSorted();
}

/** Where nothing listens: what is queued is the test's affair. */
const webhooks = { allowHttp: true, allowedRanges: ['127.0.0.0/8'] };

const beforeThat = entryPointVersions.filter((version) => version !== '0.9');

describe('a valid operation that a stranger has handled while the contract it calls is locked', () => {
  const service = useProductionService({ settings: () => ({ webhooks }) });

  test.each(rowsOfRun(beforeThat, 2))(
    'fails at the sponsor’s cost on EntryPoint %s, and subscribers are notified',
    async (version) => {
      const { tank, outcome, count, lost } = await griefed(service(), version);
      expect({ outcome, count }).toEqual({ outcome: 'success', count: 0n });
      expect(lost).toBeGreaterThan(0n);
      await mineConfirmations(service().devnet);
      await vi.waitFor(async () => expect(await queued(tank)).toEqual(['operation.diverged', 'operation.failed']), {
        timeout: 20_000,
        interval: 50,
      });
    },
  );

  test('is not handled at all on EntryPoint 0.9, which takes bundles from accounts with a key alone', async () => {
    const { outcome, lost } = await griefed(service(), '0.9');
    expect({ outcome, lost }).toEqual({ outcome: 'reverted', lost: 0n });
  });
});

describe('where the operator names its bundlers', () => {
  const service = useProductionService({
    settings: async (devnet) => {
      await allowBundler(devnet);
      return { chain: { allowedBundlers: [namedBundler.address] }, webhooks };
    },
  });

  test.each(rowsOfRun(beforeThat, 2))(
    'a stranger cannot have an operation of EntryPoint %s handled',
    async (version) => {
      const { outcome, lost } = await griefed(service(), version);
      expect({ outcome, lost }).toEqual({ outcome: 'reverted', lost: 0n });
    },
  );
});
