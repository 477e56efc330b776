import { erc20AllowanceOverride, erc20BalanceOverride } from 'permissionless/utils';
import { type Hex, maxUint256, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import {
  fundWithTokens,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenBalance,
} from '../support/chain/chain-lab.ts';
import { readSignedTerms } from '../support/paymaster-contracts/signed-terms.ts';
import { askPaymaster, foreignEntryPoint, paymasterFields, withPaymaster } from '../support/service/ask-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';

let lab: ClientLab;

beforeAll(async () => {
  // With gRPC between gateway and core, as two processes have it; other tests here do without.
  lab = await openClientLab({ handle: 'grpc' });
}, 60_000);

afterAll(() => lab.close());

const hex = z.string().regex(/^0x[0-9a-f]+$/);
const quotesSchema = z.object({
  quotes: z.array(
    z.strictObject({
      paymaster: z.string(),
      token: z.string(),
      postOpGas: hex,
      exchangeRate: hex,
      exchangeRateNativeToUsd: hex,
      balanceSlot: hex,
      allowanceSlot: hex,
    }),
  ),
});

function url() {
  return lab.paymaster('0.7').rpcUrl;
}

async function quotes(tokens: readonly string[]) {
  const params = [{ tokens }, lab.devnet.entryPoints['0.7'], numberToHex(lab.devnet.chainId)];
  const answer = await askRpc(url(), 'pimlico_getTokenQuotes', params);
  return quotesSchema.parse(answer.result).quotes;
}

describe('pimlico_getTokenQuotes', () => {
  test.each(entryPointVersions)(
    'quotes the rate and the gas that a signature then charges with (%s)',
    async (version) => {
      const { rpcUrl, address } = lab.paymaster(version);
      const calls = [targetCall(lab.devnet, 'increment')];
      const operation = await nextOperation(lab.devnet, newSmartAccount(version), calls);
      for (const token of lab.devnet.tokens) {
        await fundWithTokens(lab.devnet, token, { owner: operation.sender, spender: address });
        const params = [{ tokens: [token.address] }, lab.devnet.entryPoints[version], numberToHex(lab.devnet.chainId)];
        const [quote] = quotesSchema.parse((await askRpc(rpcUrl, 'pimlico_getTokenQuotes', params)).result).quotes;
        expect(quote).toMatchObject({ paymaster: address, token: token.address });
        const answer = await askPaymaster(
          lab,
          'pm_getPaymasterData',
          { version, rpcUrl },
          { operation, context: { token: token.address, calculateGasLimits: true } },
        );
        const { paymasterAndData } = withPaymaster(operation, paymasterFields(answer));
        const signed = readSignedTerms(version, 'ERC20', paymasterAndData);
        expect(BigInt(quote?.postOpGas ?? 0)).toBe(signed.postOpGas);
        expect(BigInt(quote?.exchangeRate ?? 0)).toBe(signed.rate);
      }
    },
  );

  test('names the storage slots of balances and allowances, with which clients override state', async () => {
    const { client, tokens, paymasterContracts } = lab.devnet;
    const [token] = tokens;
    if (token === undefined) return expect.fail();
    const { sender: owner } = await nextOperation(lab.devnet, newSmartAccount('0.7'), []);
    const spender = paymasterContracts['pimlico-singleton-0.7'];
    await fundWithTokens(lab.devnet, token, { owner, spender });
    const [quote] = await quotes([token.address]);
    const read = async (slot: Hex) => BigInt((await client.getStorageAt({ address: token.address, slot })) ?? 0);
    const [balance] = erc20BalanceOverride({ token: token.address, owner, slot: BigInt(quote?.balanceSlot ?? 0) });
    const ofOwner = balance?.stateDiff?.[0]?.slot ?? '0x';
    expect(await read(ofOwner)).toBe(await tokenBalance(lab.devnet, token, owner));
    const slot = BigInt(quote?.allowanceSlot ?? 0);
    const [allowance] = erc20AllowanceOverride({ token: token.address, owner, spender, slot, amount: 1n });
    expect(await read(allowance?.stateDiff?.[0]?.slot ?? '0x')).toBe(maxUint256);
  });

  test("the coin's price is in millionths of a dollar", async () => {
    // The development chain's coin is worth 2,000 dollars.
    const prices = (await quotes(lab.devnet.tokens.map(({ address }) => address))).map((quote) =>
      BigInt(quote.exchangeRateNativeToUsd),
    );
    expect(prices).toHaveLength(lab.devnet.tokens.length);
    for (const price of prices) expect(Number(price) / 1e6).toBeCloseTo(2_000, 5);
  });

  test('leaves out what is not taken, and what is asked for twice', async () => {
    const [token] = lab.devnet.tokens;
    if (token === undefined) throw new Error('The chain has no tokens.');
    const asked = [lab.devnet.target.address, token.address, token.address.toLowerCase(), '', 'devUSD'];
    expect((await quotes(asked)).map((quote) => quote.token)).toStrictEqual([token.address]);
    expect(await quotes([lab.devnet.target.address])).toStrictEqual([]);
    expect(await quotes([''])).toStrictEqual([]);
    expect(await quotes([])).toStrictEqual([]);
  });

  test('refuses another EntryPoint, another chain and too many tokens, with HTTP 200', async () => {
    const ask = (...params: unknown[]) => askRpc(url(), 'pimlico_getTokenQuotes', params);
    const own = lab.devnet.entryPoints['0.7'];
    const chain = numberToHex(lab.devnet.chainId);
    const foreign = await ask({ tokens: [] }, foreignEntryPoint(lab, '0.7'), chain);
    expect(foreign).toMatchObject({ httpStatus: 200, code: -32012, reason: 'ENTRY_POINT_NOT_SUPPORTED' });
    expect(foreign).toMatchObject({ message: expect.stringContaining(`works with EntryPoint 0.7 at ${own}`) });
    expect(await ask({ tokens: [] }, own, '0x1')).toMatchObject({ code: -32012, reason: 'CHAIN_NOT_SUPPORTED' });
    const many = await ask({ tokens: Array.from({ length: 101 }, () => own) }, own, chain);
    expect(many).toMatchObject({ httpStatus: 200, code: -32602 });
  });
});

test.each([[[]], [[{}, 1]]])('pimlico_getSupportedTokens lists the tokens of the chain (params %j)', async (params) => {
  const { result } = await askRpc(url(), 'pimlico_getSupportedTokens', params);
  expect(result).toStrictEqual(
    lab.devnet.tokens.map(({ symbol, decimals, address }) => ({ name: symbol, symbol, decimals, token: address })),
  );
});

test.each(entryPointVersions)('pm_supportedEntryPoints lists the one of the paymaster (%s)', async (version) => {
  const { result } = await askRpc(lab.paymaster(version).rpcUrl, 'pm_supportedEntryPoints', []);
  expect(result).toStrictEqual([lab.devnet.entryPoints[version]]);
});

test.each(['pm_supportedEntryPoints', 'pimlico_getSupportedTokens'])(
  '%s needs an apiKey that is known',
  async (method) => {
    const answer = await askRpc(lab.service.rpcUrl('abcdefghi.3f1c2b7e-5a0d-4c1e-9b52-0d6f7c8a9b10'), method, []);
    expect(answer).toMatchObject({ httpStatus: 200, code: -32011, reason: 'UNAUTHORIZED' });
  },
);
