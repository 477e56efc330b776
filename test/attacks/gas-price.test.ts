import { numberToHex, parseEther, parseGwei, slice } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signUserOperation } from '../../clients/cli/dev/user-operation/build-user-operation.ts';
import { toRpcUserOperation } from '../../clients/cli/dev/user-operation/dev-user-operation.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { omitAbsent } from '../../core/domain/values/omit-absent.ts';
import {
  depositOf,
  fillTank,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { landInOwnBundles } from './own-bundles.ts';

/** What the sender who bundles for himself asks for a gas, as tip and in all. */
const absurd = parseGwei('30000');
const absurdPrice = { maxFeePerGas: absurd, maxPriorityFeePerGas: absurd };

let service: RunningService;

async function openService(gasPrice?: 'none') {
  service = await startService({
    configure: (config) => ({
      ...config,
      // The ceilings are another line of defence, which would answer first.
      chains: config.chains.map(({ maxFeePerGasCeiling: _, maxCostPerOperation: __, ...chain }) => ({
        ...chain,
        ...omitAbsent({ gasPrice }),
      })),
    }),
  });
}

async function paymasterWith(version: EntryPointVersion, ether: string): Promise<LabPaymaster> {
  const paymaster = await openPaymaster(service, version);
  const wallet = await walletWith(service.devnet, parseEther('1'));
  await chooseWallet(paymaster, wallet);
  await fillTank(service.devnet, version, wallet, parseEther(ether));
  return paymaster;
}

async function operationOf(version: EntryPointVersion, prices: object = {}) {
  const account = newSmartAccount(version);
  const drafted = await nextOperation(service.devnet, account, [targetCall(service.devnet, 'increment')]);
  return { account, operation: { ...drafted, ...prices } };
}

function prices(maxFeePerGas: string, maxPriorityFeePerGas: string) {
  return { maxFeePerGas: parseGwei(maxFeePerGas), maxPriorityFeePerGas: parseGwei(maxPriorityFeePerGas) };
}

const chainId = () => numberToHex(service.devnet.chainId);

/** A chain whose highest base fee of late is 1 gwei, and a service that has seen it. The node suggests a tip of 1 gwei. */
async function settleBaseFee(): Promise<void> {
  const { client } = service.devnet;
  await client.mine({ blocks: 200 });
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('1') });
  await client.mine({ blocks: 1 });
  const { rpcUrl } = await paymasterWith('0.7', '1');
  const { operation } = await operationOf('0.7', absurdPrice);
  // Three base fees and two tips.
  const isSeen = async () =>
    expect((await askSponsorship(rpcUrl, operation)).message).toContain('at most 5000000000 wei');
  await vi.waitFor(isSeen, { timeout: 20_000 });
}

describe('where the operator has written that any gas price is signed', () => {
  beforeAll(() => openService('none'));
  afterAll(() => service.close());

  test.each(entryPointVersions)('one operation of %s moves the tank to its sender’s own bundler', async (version) => {
    const { rpcUrl } = await paymasterWith(version, '50');
    const { account, operation } = await operationOf(version, absurdPrice);
    const answered = withAnswer(operation, await sponsor(rpcUrl, operation));
    const attacker = await walletWith(service.devnet, parseEther('1'));
    const contract = slice(answered.paymasterAndData, 0, 20);
    const before = await depositOf(service.devnet, version, contract);
    const gain = await landInOwnBundles(service.devnet, {
      wallet: attacker,
      operations: [await signUserOperation(service.devnet, answered, account.owner)],
    });
    const lost = before - (await depositOf(service.devnet, version, contract));
    expect(lost).toBeGreaterThan(parseEther('5'));
    expect(gain).toBeGreaterThan((lost * 99n) / 100n);
  });
});

describe('without a word of the operator', () => {
  beforeAll(async () => {
    await openService();
    await settleBaseFee();
  });
  afterAll(() => service.close());

  describe.each(entryPointVersions)('an operation of %s', (version) => {
    let rpcUrl: string;
    beforeAll(async () => {
      ({ rpcUrl } = await paymasterWith(version, '50'));
    });

    test.each<[string, object, string, bigint]>([
      ['an absurd price', absurdPrice, 'maxFeePerGas', parseGwei('5')],
      ['a tip over twice the suggested one', prices('5', '2.000000001'), 'maxPriorityFeePerGas', parseGwei('2')],
      ['a maximum over three base fees and the tip', prices('5.000000001', '1'), 'maxFeePerGas', parseGwei('5')],
    ])('%s is refused in both modes, and by the stub', async (_, price, field, ceiling) => {
      const { operation } = await operationOf(version, price);
      const { address: token } = tokenWith(service.devnet, 6);
      const refusal = { httpStatus: 422, code: -32013, reason: 'GAS_PRICE_TOO_HIGH' };
      const answers = [await askSponsorship(rpcUrl, operation), await askSponsorship(rpcUrl, operation, { token })];
      for (const answer of answers) {
        expect(answer).toMatchObject(refusal);
        expect(answer.message).toMatch(new RegExp(`^${field} is .* at most ${ceiling} wei is sponsored`));
      }
      const stub = [toRpcUserOperation(operation), service.devnet.entryPoints[version], chainId(), {}];
      const answer = await askRpc(rpcUrl, 'pm_getPaymasterStubData', stub);
      expect(answer).toMatchObject({ ...refusal, httpStatus: 200 });
    });

    test('a price at the bounds is signed', async () => {
      const { operation } = await operationOf(version, prices('5', '2'));
      expect(await sponsor(rpcUrl, operation)).toMatchObject({ MODE: 'SPONSORED' });
    });
  });
});
