import { type Address, encodeFunctionData, type Hex, size, slice } from 'viem';
import type { UserOperation } from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { createSponsorClient, type SponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { SponsorshipRefusedError } from '../../clients/sdk/errors/errors.ts';
import type { SignedData } from '../../clients/sdk/sponsor/signed-data.ts';
import { maximumTokenAmount, type TokenQuotes } from '../../clients/sdk/sponsor/token-quotes.ts';
import type { UserOperationRequest } from '../../clients/sdk/sponsor/user-operation-request.ts';
import type { PartialUserOperation } from '../../contract/rpc/user-operation.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { devTokenAbi } from '../../server/dev/devnet/contracts.generated.ts';
import {
  buildUserOperation,
  type DevCall,
  signUserOperation,
} from '../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { handleUserOperation } from '../../server/dev/user-operation/entry-point.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
const sponsored = { mode: 'SPONSORED', sponsorshipInfo: { smartAccountInfo, webhookData: {} } } as const;

type Side = { readonly paymaster: DevPaymaster; readonly client: SponsorClient };
let service: RunningService;
const sides = new Map<EntryPointVersion, Side>();
const owner = privateKeyToAccount(generatePrivateKey());

beforeAll(async () => {
  service = await startService();
  const { authToken } = await service.issueAccount();
  for (const [index, version] of (['0.6', '0.7'] as const).entries()) {
    const paymaster = await service.fundedPaymaster(authToken, version, index + 1);
    const client = createSponsorClient({ url: paymaster.rpcUrl });
    sides.set(version, { paymaster, client });
    const operation = await buildUserOperation(service.devnet, { version, owner: owner.address }, [increment()]);
    await vi.waitFor(() => client.getFeeQuoteOrData(toRequest(operation), sponsored), { timeout: 20_000 });
  }
});
afterAll(() => service.close());

function sideOf(version: EntryPointVersion): Side {
  const side = sides.get(version);
  if (side === undefined) throw new Error(`no paymaster for EntryPoint ${version}`);
  return side;
}

function fundedKey(index: number): Hex {
  const key = service.devnet.fundedKeys[index];
  if (key === undefined) throw new Error('the chain has too few funded keys');
  return key;
}

function increment(): DevCall {
  const { address, abi } = service.devnet.target;
  return { to: address, data: encodeFunctionData({ abi, functionName: 'increment' }) };
}

/** The operation in the SDK's form, limits left to the service. */
function toRequest(operation: DevUserOperation): UserOperationRequest {
  const { sender, nonce, callData, maxFeePerGas, maxPriorityFeePerGas, signature, initCode } = operation;
  const shared = { sender, nonce, callData, maxFeePerGas, maxPriorityFeePerGas, signature };
  if (operation.entryPointVersion === '0.6') return { ...shared, initCode, paymasterAndData: '0x' };
  if (size(initCode) === 0) return shared;
  return { ...shared, factory: slice(initCode, 0, 20), factoryData: slice(initCode, 20) };
}

async function land(operation: DevUserOperation, signed: SignedData): Promise<boolean> {
  const complete = { ...operation, ...signed };
  const outcome = await handleUserOperation(
    service.devnet,
    await signUserOperation(service.devnet, complete, owner),
    privateKeyToAccount(fundedKey(0)),
  );
  return outcome.success;
}

async function refusalOf(call: Promise<unknown>): Promise<SponsorshipRefusedError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SponsorshipRefusedError)) throw new Error('the call was not refused', { cause: error });
  return error;
}

describe.each(['0.6', '0.7'] as const)('with EntryPoint %s', (version) => {
  test('what the client answers makes a sponsored operation land', async () => {
    const { client } = sideOf(version);
    const operation = await buildUserOperation(service.devnet, { version, owner: owner.address }, [increment()]);
    const signed = await client.getFeeQuoteOrData(toRequest(operation), sponsored);
    expect(signed.mode).toBe('SPONSORED');
    expect(await land(operation, signed)).toBe(true);
  });

  test('an allowance of maximumTokenAmount is enough for a token-paid operation to land', async () => {
    const { client, paymaster } = sideOf(version);
    for (const token of service.devnet.tokens) {
      const approve = (amount: bigint): DevCall => ({
        to: token.address,
        data: encodeFunctionData({ abi: devTokenAbi, functionName: 'approve', args: [paymaster.address, amount] }),
      });
      const account = { version, owner: owner.address };
      const drafted = await buildUserOperation(service.devnet, account, [approve(1n), increment()]);
      await mint(token.address, drafted.sender);
      const quotes = await client.getFeeQuoteOrData(toRequest(drafted), {
        mode: 'ERC20',
        tokenInfo: { preferredToken: token.address, tokenList: [] },
      });
      expect(quotes.paymasterAddress).toBe(paymaster.address);
      const quote = quotes.feeQuotes.find(({ tokenAddress }) => tokenAddress === token.address);
      if (quote === undefined) throw new Error('no quote for the token that was asked for');
      const operation = await buildUserOperation(service.devnet, account, [
        approve(maximumTokenAmount(quote)),
        increment(),
      ]);
      const signed = await client.sponsorUserOperation(toRequest(operation), {
        mode: 'ERC20',
        tokenInfo: { feeTokenAddress: token.address },
      });
      expect(signed.mode).toBe('ERC20');
      expect(await land(operation, signed)).toBe(true);
    }
  });
});

async function mint(token: Address, to: Address): Promise<void> {
  const { client } = service.devnet;
  const hash = await client.writeContract({
    account: privateKeyToAccount(fundedKey(0)),
    chain: null,
    address: token,
    abi: devTokenAbi,
    functionName: 'mint',
    args: [to, 10n ** 24n],
  });
  await client.waitForTransactionReceipt({ hash });
}

test('the exchange rate is exact where a double is not', async () => {
  const { client } = sideOf('0.7');
  const operation = await buildUserOperation(service.devnet, { version: '0.7', owner: owner.address }, [increment()]);
  const { feeQuotes } = await client.getFeeQuoteOrData(toRequest(operation), { mode: 'ERC20', tokenInfo: {} });
  // Development prices: 2,000 USD for the coin, 2.50 USD for the token of 18 decimals, 1 USD for that of 6.
  const rates = Object.fromEntries(feeQuotes.map(({ symbol, exchangeRate }) => [symbol, exchangeRate]));
  expect(rates).toEqual({ devUSD: 2_000n * 10n ** 6n, devTKN: 800n * 10n ** 18n });
});

describe('a refusal', () => {
  test('of the policies carries reason, code, status, decision and a sentence', async () => {
    const { client } = sideOf('0.7');
    const stranger: DevCall = { to: '0x00000000000000000000000000000000000000aa', data: '0x12345678' };
    const operation = await buildUserOperation(service.devnet, { version: '0.7', owner: owner.address }, [stranger]);
    const refused = await refusalOf(client.getFeeQuoteOrData(toRequest(operation), sponsored));
    expect(refused).toMatchObject({ reason: 'CONTRACT_NOT_REGISTERED', code: -32013, status: 422 });
    expect(refused.message).toContain('Smart contract data not found');
    expect(refused.decisionId).toEqual(expect.any(String));
  });

  test('of an input names the field', async () => {
    const { client } = sideOf('0.6');
    const operation = await buildUserOperation(service.devnet, { version: '0.6', owner: owner.address }, [increment()]);
    const call = client.getFeeQuoteOrData(
      { ...toRequest(operation), maxFeePerGas: 1n, maxPriorityFeePerGas: 2n },
      sponsored,
    );
    expect(await refusalOf(call)).toMatchObject({
      reason: 'INVALID_PARAMS',
      code: -32602,
      status: 400,
      field: 'maxPriorityFeePerGas',
    });
  });

  test('of the apiKey is UNAUTHORIZED', async () => {
    const client = createSponsorClient({ url: service.rpcUrl('123456789.00000000-0000-4000-8000-000000000000') });
    const operation = await buildUserOperation(service.devnet, { version: '0.6', owner: owner.address }, [increment()]);
    const call = client.getFeeQuoteOrData(toRequest(operation), sponsored);
    expect(await refusalOf(call)).toMatchObject({ reason: 'UNAUTHORIZED', code: -32011, status: 401 });
  });
});

test('the types follow the mode, and the operation has every field of the contract', () => {
  const { client } = sideOf('0.7');
  const tokens = { mode: 'ERC20', tokenInfo: {} } as const;
  const ask = () => ({
    sponsored: client.getFeeQuoteOrData({} as UserOperationRequest, sponsored),
    tokens: client.getFeeQuoteOrData({} as UserOperationRequest, tokens),
    open: client.getFeeQuoteOrData({} as UserOperationRequest, {}),
  });
  type Answers = ReturnType<typeof ask>;
  expectTypeOf<Awaited<Answers['sponsored']>>().toEqualTypeOf<SignedData<'SPONSORED'>>();
  expectTypeOf<Awaited<Answers['tokens']>>().toEqualTypeOf<TokenQuotes>();
  expectTypeOf<Awaited<Answers['open']>>().toEqualTypeOf<SignedData<'SPONSORED'> | TokenQuotes>();
  // The one field that viem names otherwise than our clients send it; the service also takes viem's name.
  type WireName<Key> = Key extends 'authorization' ? 'eip7702Auth' : Key;
  expectTypeOf<WireName<keyof UserOperationRequest>>().toEqualTypeOf<
    Exclude<keyof PartialUserOperation, 'authorization'>
  >();
  expectTypeOf<UserOperation<'0.6'>>().toExtend<UserOperationRequest>();
  expectTypeOf<UserOperation<'0.7'>>().toExtend<UserOperationRequest>();
  expectTypeOf<UserOperation<'0.8'>>().toExtend<UserOperationRequest>();
  expectTypeOf<Pick<SignedData, 'paymasterAndData'>>().toExtend<Partial<UserOperation<'0.6'>>>();
});
