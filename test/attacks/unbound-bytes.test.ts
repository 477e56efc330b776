import { Attribution } from 'ox/erc8021';
import { type Address, concat, type Hex, numberToHex, parseEther, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test, vi } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { delegationCode } from '../../core/evm/entry-point/eip7702.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, plainLimits, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { askRpc, signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank } from '../support/service/production-tank.ts';
import { freshKey } from '../support/service/running-service.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { claimingOperation, deployLiar } from './lying-account.ts';
import { bundleAlone } from './measure-attack.ts';

const service = useProductionService();
const amount = parseEther('50');
const asGiven = { calculateGasLimits: false };
const stranger: Address = `0x${'00'.repeat(20)}`;
/** How many times an honest bundler's gain someone may have who bundles alone. */
const maxMultiple = 2.5;

function tankOf(family: EntryPointVersion, policy?: object) {
  return fundedTank(service(), { family, amount, ...(policy === undefined ? {} : { policy }) });
}

describe.each(tabledEntryPoints)('with EntryPoint %s', (version) => {
  test('a long signature that is cut off before landing earns no more than other limits do', async () => {
    const { devnet } = service();
    const tank = await tankOf(version, { accounts: 'ANY' });
    const sender = await deployLiar(devnet, 1, stranger);
    const gainOf = async (nonce: bigint, signature: Hex) => {
      const drafted = { ...(await claimingOperation(devnet, version, { sender })), nonce, signature };
      const signed = withAnswer(drafted, await sponsor(tank.rpcUrl, drafted));
      const landing = { ...signed, signature: '0x' as const };
      const { gained, landed } = await bundleAlone(devnet, { tank, operations: [landing] });
      expect(landed).toBe(true);
      return gained;
    };
    const honest = await gainOf(1n << 64n, `0x${'ee'.repeat(65)}`);
    const greedy = await gainOf(2n << 64n, `0x${'ee'.repeat(50_000)}`);
    expect(Number(greedy) / Number(honest)).toBeLessThanOrEqual(maxMultiple);
  });

  test('a signature that is spoiled on purpose does not let limits pass unmeasured', async () => {
    const { devnet } = service();
    const { rpcUrl } = await tankOf(version);
    const account = newSmartAccount(version);
    const first = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    await land(devnet, account, withAnswer(first, await sponsor(rpcUrl, first)));
    const plain = await nextOperation(devnet, account, [targetCall(devnet, 'increment')], 1n);
    const honest = { ...plain, ...plainLimits('deployed') };
    const spoiled = { ...honest, signature: `0x${'ab'.repeat(3)}` as const };
    expect(await askSponsorship(rpcUrl, honest, asGiven)).toMatchObject({ httpStatus: 200 });
    for (const field of ['callGasLimit', 'preVerificationGas'] as const) {
      const greedy = { ...spoiled, [field]: 3n * spoiled[field] };
      const answer = await askSponsorship(rpcUrl, greedy, asGiven);
      expect(answer.message).toMatch(new RegExp(`^${field} is`));
      expect(answer).toMatchObject({
        httpStatus: 422,
        reason: 'LIMIT_EXCEEDED',
      });
    }
  });

  test('a signature that is spoiled on purpose does not have a reverting call sponsored', async () => {
    const { devnet } = service();
    const { rpcUrl } = await tankOf(version, { sponsorAllCalls: true });
    const account = newSmartAccount(version);
    const first = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    await land(devnet, account, withAnswer(first, await sponsor(rpcUrl, first)));
    const plain = await nextOperation(devnet, account, [targetCall(devnet, 'fail')], 1n);
    const spoiled = { ...plain, ...plainLimits('deployed'), signature: '0xababab' as const };
    expect(await askSponsorship(rpcUrl, spoiled, asGiven)).toMatchObject({ reason: 'ESTIMATION_FAILED' });
  });

  test('limits of an operation that cannot be simulated yet earn no more than others do', async () => {
    const { devnet } = service();
    const tank = await tankOf(version);
    const account = newSmartAccount(version);
    const deployment = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    const signed = withAnswer(deployment, await sponsor(tank.rpcUrl, deployment));
    const behind = (key: bigint): DevUserOperation => ({
      ...deployment,
      ...plainLimits('deployed'),
      initCode: '0x',
      nonce: key << 64n,
      callGasLimit: 90_000n,
    });
    const greedy = { ...behind(1n), callGasLimit: 450_000n, preVerificationGas: 69_000n };
    expect(await askSponsorship(tank.rpcUrl, greedy, asGiven)).toMatchObject({
      httpStatus: 422,
      reason: 'LIMIT_EXCEEDED',
    });
    const modest = withAnswer(behind(2n), await sponsor(tank.rpcUrl, behind(2n), asGiven));
    await land(devnet, account, signed);
    await land(devnet, account, modest);
  });
});

describe('bytes behind the arguments of a method', () => {
  test.each(tabledEntryPoints)(
    'are refused with EntryPoint %s, and one attribution is neither refused nor paid for',
    async (version) => {
      const { devnet } = service();
      const { rpcUrl } = await tankOf(version);
      const { to, data } = targetCall(devnet, 'increment');
      const ask = async (bytes: Hex, key: bigint) => {
        const calls = [{ to, data: concat([data, bytes]) }];
        return askSponsorship(rpcUrl, await nextOperation(devnet, newSmartAccount(version), calls, key));
      };
      for (const bytes of ['0x00', `0x${'00'.repeat(4_000)}`, `0x${'ff'.repeat(20_000)}`] as const) {
        expect(await ask(bytes, 1n)).toMatchObject({ httpStatus: 422, reason: 'CALL_NOT_UNDERSTOOD' });
      }
      const attributed = signedAnswer(await ask(Attribution.toDataSuffix({ codes: ['baseapp', 'a_wallet'] }), 2n));
      const plain = signedAnswer(await ask('0x', 3n));
      // The words that hold the suffix, filled up with zeros.
      const words = attributed.preVerificationGas - plain.preVerificationGas;
      expect(words).toBeLessThan(2n * 32n * 4n + 100n);
    },
  );
});

describe('bytes behind the call data of the account', () => {
  test.each(tabledEntryPoints)(
    'are refused with EntryPoint %s, and one attribution lands, is recorded and is not paid for',
    async (version) => {
      const { devnet } = service();
      const tank = await tankOf(version);
      const { rpcUrl, apiKey, management } = tank;
      const account = newSmartAccount(version);
      const operationWith = async (bytes: Hex) => {
        const operation = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
        return { ...operation, callData: concat([operation.callData, bytes]) };
      };
      const ask = async (bytes: Hex) => askSponsorship(rpcUrl, await operationWith(bytes));
      const suffix = Attribution.toDataSuffix({ codes: ['baseapp', 'a_wallet'] });
      for (const bytes of [
        '0x00',
        `0x${'ff'.repeat(20_000)}`,
        concat([suffix, suffix]),
        concat(['0x00', suffix]),
      ] as const) {
        expect(await ask(bytes)).toMatchObject({ httpStatus: 422, reason: 'CALL_NOT_UNDERSTOOD' });
      }
      const plain = signedAnswer(await ask('0x'));
      const operation = await operationWith(suffix);
      const answer = await sponsor(rpcUrl, operation);
      // The words that hold the suffix, filled up with zeros.
      expect(answer.preVerificationGas - plain.preVerificationGas).toBeLessThan(2n * 32n * 4n + 100n);
      await land(devnet, account, withAnswer(operation, answer));
      const recorded = async () => {
        const [decision] = (await management.listDecisions({ apiKey, outcome: 'signed', limit: 1 })).decisions;
        expect(decision?.facts?.attribution).toEqual(['baseapp', 'a_wallet']);
        const usage = await management.getUsage({ apiKey, by: 'attribution' });
        expect(usage.map(({ key, decisions }) => [key, decisions.signed]).sort()).toEqual([
          ['a_wallet', 1],
          ['baseapp', 1],
        ]);
      };
      await vi.waitFor(recorded, { timeout: 20_000, interval: 50 });
    },
  );
});

describe('an EIP-7702 authorization that is shown and left out', () => {
  const tip = parseGwei('1');

  /** An operation of the sender with an authorization of this delegate. */
  async function authorizing(sender: Address, delegate: Address, key: bigint) {
    const { devnet } = service();
    const operation = { ...(await claimingOperation(devnet, '0.8', { sender })), nonce: key << 64n };
    const eip7702Auth = {
      address: delegate,
      chainId: numberToHex(devnet.chainId),
      nonce: '0x0',
      r: '0x1',
      s: '0x1',
      yParity: '0x0',
    };
    return { operation, rpc: { ...toRpcUserOperation(operation), eip7702Auth } };
  }

  const smartAccountInfo = { name: 'SIMPLE_7702', version: '1.0.0' };
  const context = { mode: 'SPONSORED', sponsorshipInfo: { webhookData: {}, smartAccountInfo } };
  const ask = (rpcUrl: string, rpc: object, client?: string) =>
    askRpc(rpcUrl, 'pm_sponsorUserOperation', [rpc, context], client);

  test('pays for one authorization where the sender has delegated already, and a bundle without it earns no more', async () => {
    const { devnet } = service();
    const tank = await tankOf('0.8');
    const owner = privateKeyToAccount(freshKey());
    await devnet.client.setCode({ address: owner.address, bytecode: delegationCode(devnet.simple7702Account) });
    const gainOf = async (key: bigint, shows: boolean) => {
      const { operation, rpc } = await authorizing(owner.address, devnet.simple7702Account, key);
      const answer = signedAnswer(await ask(tank.rpcUrl, shows ? rpc : toRpcUserOperation(operation)));
      const landing = await signUserOperation(devnet, withAnswer(operation, answer), owner);
      const { gained, landed } = await bundleAlone(devnet, { tank, operations: [landing] });
      expect(landed).toBe(true);
      return { gained, preVerificationGas: answer.preVerificationGas };
    };
    const plain = await gainOf(1n, false);
    const shown = await gainOf(2n, true);
    // A sender may authorize again, and bundlers ask for its gas: EIP-7702's cost of an account that exists, once an operation.
    const authorizationGas = 25_000n;
    expect(shown.preVerificationGas - plain.preVerificationGas).toBe(authorizationGas);
    const { baseFeePerGas } = await devnet.client.getBlock();
    const most = authorizationGas * ((baseFeePerGas ?? 0n) + tip);
    expect(shown.gained - plain.gained).toBeLessThan(most + 2_000n * tip);
  });

  test.each([
    ['one client address', () => '198.51.100.7'],
    ['a client address for each', (key: bigint) => `198.51.100.${key}`],
  ])('pays for one of several operations that are asked for at once from %s', async (_, clientOf) => {
    const { devnet } = service();
    const { rpcUrl } = await tankOf('0.8');
    const { address } = privateKeyToAccount(freshKey());
    const asked = await Promise.all(
      [1n, 2n, 3n, 4n].map(async (key) => {
        const { rpc } = await authorizing(address, devnet.simple7702Account, key);
        return ask(rpcUrl, rpc, clientOf(key));
      }),
    );
    const paid = asked
      .filter(({ httpStatus }) => httpStatus === 200)
      .map((answer) => signedAnswer(answer).preVerificationGas);
    const least = paid.reduce((one, other) => (one < other ? one : other));
    const { rpc } = await authorizing(address, devnet.simple7702Account, 5n);
    const later = signedAnswer(await ask(rpcUrl, rpc)).preVerificationGas;
    const withAuthorization = [...paid, later].filter((gas) => gas > later + 20_000n);
    expect(withAuthorization).toHaveLength(1);
    expect(least).toBeGreaterThanOrEqual(later);
  });

  test('does not make code known that is not the code of the sender', async () => {
    const { devnet } = service();
    const { rpcUrl } = await tankOf('0.8');
    const liar = await deployLiar(devnet, 1, stranger);
    const { address } = privateKeyToAccount(freshKey());
    await devnet.client.setCode({ address, bytecode: delegationCode(liar) });
    const { rpc } = await authorizing(address, devnet.simple7702Account, 1n);
    expect(await ask(rpcUrl, rpc)).toMatchObject({ httpStatus: 422, reason: 'ACCOUNT_NOT_KNOWN' });
  });
});
