import { numberToHex, parseEther, parseGwei } from 'viem';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { familiesWith } from '../support/paymaster-contracts/families-by-mode.ts';
import { isLongRun } from '../support/run/rows-of-run.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import type { ProductionService } from '../support/service/production-service.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { bundleAlone } from './measure-attack.ts';

/** What the sender who bundles for himself asks for a gas, as tip and in all. */
const absurd = parseGwei('30000');
const absurdPrice = { maxFeePerGas: absurd, maxPriorityFeePerGas: absurd };
/** Within the ceiling that every operator has to set. */
const highPrice = prices('199', '199');
const families = familiesWith('SPONSORED');

async function operationOf({ devnet }: ProductionService, version: EntryPointVersion, price: object) {
  const account = newSmartAccount(version);
  const drafted = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  return { account, operation: { ...drafted, ...price } };
}

function prices(maxFeePerGas: string, maxPriorityFeePerGas: string) {
  return { maxFeePerGas: parseGwei(maxFeePerGas), maxPriorityFeePerGas: parseGwei(maxPriorityFeePerGas) };
}

describe.runIf(isLongRun)('where operator and owner have written that any gas price is signed', () => {
  const anyPrice = { gasPrice: 'none', maxFeePerGasCeiling: 'none', maxCostPerOperation: 'none' };
  const service = useProductionService({ settings: () => ({ chain: anyPrice }) });

  test.each(families)('one operation of %s moves the tank to its sender’s own bundler', async (family) => {
    const { devnet } = service();
    const uncapped = { sponsorAllCalls: true };
    const tank = await fundedTank(service(), { family, amount: parseEther('50'), policy: uncapped });
    const { account, operation } = await operationOf(service(), tank.version, absurdPrice);
    const answered = withAnswer(operation, await sponsor(tank.rpcUrl, operation));
    const operations = [await signUserOperation(devnet, answered, account.owner)];
    const { gained, lost } = await bundleAlone(devnet, { tank, operations });
    expect(lost).toBeGreaterThan(parseEther('5'));
    expect(gained).toBeGreaterThan((lost * 99n) / 100n);
  });
});

describe('without a word of the operator', () => {
  const service = useProductionService();
  const tanks = new Map<string, ProductionTank>();
  const tankOf = (family: string) => tanks.get(family) ?? expect.fail(`There is no tank of ${family}.`);

  beforeAll(async () => {
    for (const family of families) {
      tanks.set(family, await fundedTank(service(), { family, amount: parseEther('50') }));
    }
    await settleBaseFee();
  });

  /** A chain whose highest base fee of late is 1 gwei, and a service that has seen it. The node suggests a tip of 1 gwei. */
  async function settleBaseFee(): Promise<void> {
    const { client } = service().devnet;
    await client.mine({ blocks: 200 });
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('1') });
    await client.mine({ blocks: 1 });
    const { rpcUrl } = tankOf(devnetFamilies['0.7']);
    const { operation } = await operationOf(service(), '0.7', highPrice);
    // Three base fees and two and a half tips.
    const isSeen = async () =>
      expect((await askSponsorship(rpcUrl, operation)).message).toContain('at most 5500000000 wei');
    await vi.waitFor(isSeen, { timeout: 20_000, interval: 100 });
  }

  test.each(families)('no operation of %s moves its tank by its price', async (family) => {
    const { rpcUrl, version, apiKey, management } = tankOf(family);
    for (const price of [absurdPrice, highPrice]) {
      const { operation } = await operationOf(service(), version, price);
      const answer = await askSponsorship(rpcUrl, operation);
      expect(answer).toMatchObject({ httpStatus: 422, code: -32013, reason: 'GAS_PRICE_TOO_HIGH' });
    }
    expect(await management.readGasTank({ apiKey })).toMatchObject({ settled: '0', held: '0' });
  });

  describe.each(tabledEntryPoints)('an operation of %s', (version) => {
    test.each<[string, object, string, bigint]>([
      ['a price over the ceiling', absurdPrice, 'maxFeePerGas', parseGwei('200')],
      ['a price under it and far over the chain’s', highPrice, 'maxFeePerGas', parseGwei('5.5')],
      [
        'a tip over two and a half of the suggested one',
        prices('5', '2.500000001'),
        'maxPriorityFeePerGas',
        parseGwei('2.5'),
      ],
      ['a maximum over three base fees and the tip', prices('5.500000001', '1'), 'maxFeePerGas', parseGwei('5.5')],
    ])('%s is refused in both modes, and by the stub', async (_, price, field, ceiling) => {
      const { devnet } = service();
      const { rpcUrl } = tankOf(devnetFamilies[version]);
      const { operation } = await operationOf(service(), version, price);
      const { address: token } = tokenWith(devnet, 6);
      const refusal = { httpStatus: 422, code: -32013, reason: 'GAS_PRICE_TOO_HIGH' };
      const answers = [await askSponsorship(rpcUrl, operation), await askSponsorship(rpcUrl, operation, { token })];
      for (const answer of answers) {
        expect(answer).toMatchObject(refusal);
        expect(answer.message).toMatch(new RegExp(`^${field} is .*${ceiling} wei`));
      }
      const stub = [toRpcUserOperation(operation), devnet.entryPoints[version], numberToHex(devnet.chainId), {}];
      const answer = await askRpc(rpcUrl, 'pm_getPaymasterStubData', stub);
      expect(answer).toMatchObject({ ...refusal, httpStatus: 200 });
    });

    test('a price at the bounds is signed', async () => {
      const { operation } = await operationOf(service(), version, prices('5.5', '2.5'));
      expect(await sponsor(tankOf(devnetFamilies[version]).rpcUrl, operation)).toMatchObject({ MODE: 'SPONSORED' });
    });
  });
});
