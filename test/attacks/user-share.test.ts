import { parseEther, parseGwei } from 'viem';
import { describe, expect, test } from 'vitest';
import {
  approveCall,
  fundWithTokens,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { quotesAnswer } from '../support/service/chain-rpc.ts';
import { askQuotes, askSponsorship, maximumOf, quoteFor, sponsor } from '../support/service/chain-sponsorship.ts';
import { fundedTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { claimingOperation, deployWritingFactory, liarOf } from './lying-account.ts';

// A caller wants to pay less than the share that the policy names, or have a share given for what is forbidden.

const fixed = (usd: string) => ({ sources: [{ kind: 'fixed', usd }], minimumSources: 1 });
/** A base unit of the token with 6 decimals is worth a cent: the whole charge is some sixty of them. */
const service = useProductionService({
  settings: ({ tokens }) => ({
    chain: {
      tokens: tokens.map(({ symbol, address, decimals }) => ({
        symbol,
        address,
        decimals,
        price: fixed(decimals === 6 ? '10000' : '2.5'),
      })),
    },
  }),
});
const price = { maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: parseGwei('1') };

async function prepare(policy: object, decimals: 6 | 18 = 18) {
  const { devnet } = service();
  const tank = await fundedTank(service(), { family: '0.7', amount: parseEther('1'), policy });
  const token = tokenWith(devnet, decimals);
  const draft = async (calls = [targetCall(devnet, 'increment')]) => {
    const operation = { ...(await nextOperation(devnet, newSmartAccount('0.7'), calls)), ...price };
    await fundWithTokens(devnet, token, { owner: operation.sender, spender: tank.contract });
    return operation;
  };
  return { tank, draft, token, wish: { token: token.address } };
}

test('sponsored mode gives everything without a share, and nothing with one', async () => {
  const { tank, draft } = await prepare({});
  await sponsor(tank.rpcUrl, await draft());
  await tank.management.setPolicy({ apiKey: tank.apiKey, policy: { userPaysPercent: 90 } });
  expect(await askSponsorship(tank.rpcUrl, await draft())).toMatchObject({ reason: 'USER_PAYS_SHARE' });
});

describe('a share that is given', () => {
  test('is not given for calls that are not sponsored; who pays all is free to make them', async () => {
    const { tank, draft, token, wish } = await prepare({});
    const forbidden = await draft([approveCall(token, service().devnet.tokenRecipient, 1n)]);
    await sponsor(tank.rpcUrl, forbidden, wish);
    await tank.management.setPolicy({ apiKey: tank.apiKey, policy: { userPaysPercent: 1 } });
    expect(await askSponsorship(tank.rpcUrl, forbidden, wish)).toMatchObject({ reason: 'CONTRACT_NOT_REGISTERED' });
    expect(await askQuotes(tank.rpcUrl, forbidden, wish)).toMatchObject({ reason: 'CONTRACT_NOT_REGISTERED' });
  });

  test('is not given to an account that does other work than its call data says; who pays all is free to have it', async () => {
    const { devnet } = service();
    const { tank, token, wish } = await prepare({});
    const liar = liarOf(await deployWritingFactory(devnet), 20, 1n);
    const operation = { ...(await claimingOperation(devnet, '0.7', liar)), ...price };
    await fundWithTokens(devnet, token, { owner: operation.sender, spender: tank.contract });
    await sponsor(tank.rpcUrl, operation, wish);
    await tank.management.setPolicy({ apiKey: tank.apiKey, policy: { userPaysPercent: 50 } });
    expect(await askSponsorship(tank.rpcUrl, operation, wish)).toMatchObject({ reason: 'ACCOUNT_NOT_KNOWN' });
  });

  test('is bound by the caps on what a bundler is paid in full', async () => {
    const { tank, draft, wish } = await prepare({ maxPreVerificationGas: 1_000 });
    await sponsor(tank.rpcUrl, await draft(), wish);
    const policy = { maxPreVerificationGas: 1_000, userPaysPercent: 50 };
    await tank.management.setPolicy({ apiKey: tank.apiKey, policy });
    const refused = await askSponsorship(tank.rpcUrl, await draft(), wish);
    expect(refused).toMatchObject({ reason: 'LIMIT_EXCEEDED', message: expect.stringMatching(/^preVerificationGas/) });
  });

  test('is of one policy: its quote is not signed under another one', async () => {
    const { tank, draft, wish } = await prepare({ userPaysPercent: 80 });
    const named = await tank.management.createPolicy({
      apiKey: tank.apiKey,
      name: 'Generous',
      policy: { userPaysPercent: 1 },
    });
    const operation = await draft();
    const cheap = await quoteFor(tank.rpcUrl, operation, { ...wish, policyId: named.policyId });
    expect(cheap).toMatchObject({ userPaysPercent: 1 });
    expect(await askSponsorship(tank.rpcUrl, operation, wish)).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
    const dear = await quoteFor(tank.rpcUrl, operation, wish);
    expect(maximumOf(dear)).toBeGreaterThan(maximumOf(cheap) * 79n);
    await sponsor(tank.rpcUrl, operation, wish);
  });

  test('is not paid for with a token too coarse for the share, which would be rounded to nothing', async () => {
    const { tank, draft, wish } = await prepare({}, 6);
    const operation = await draft();
    await sponsor(tank.rpcUrl, operation, wish);
    await tank.management.setPolicy({ apiKey: tank.apiKey, policy: { userPaysPercent: 2 } });
    expect(await askSponsorship(tank.rpcUrl, await draft(), wish)).toMatchObject({ reason: 'TOKEN_NOT_SUPPORTED' });
    const { feeQuotes } = quotesAnswer(await askQuotes(tank.rpcUrl, await draft()));
    expect(feeQuotes.map(({ decimal }) => decimal)).toEqual([18]);
  });

  test('counts at its worst case while it is open, so that several at once stay within the limit', async () => {
    const { tank, draft, wish } = await prepare({ userPaysPercent: 50 });
    const first = await draft();
    await sponsor(tank.rpcUrl, first, wish);
    const held = BigInt((await tank.management.readGasTank({ apiKey: tank.apiKey })).held);
    const limits = [{ per: 'TOTAL', window: 'DAY', unit: 'WEI', max: String(held + held / 4n) }] as const;
    await tank.management.setPolicy({ apiKey: tank.apiKey, policy: { userPaysPercent: 50, limits: [...limits] } });
    const operations: Awaited<ReturnType<typeof draft>>[] = [];
    for (let count = 0; count < 6; count += 1) operations.push(await draft());
    const answers = await Promise.all(operations.map((operation) => askSponsorship(tank.rpcUrl, operation, wish)));
    // Half of what is held counts, from when the limit was set: two fit, and a third does not.
    expect(answers.filter(({ httpStatus }) => httpStatus === 200)).toHaveLength(2);
    expect(answers.find(({ httpStatus }) => httpStatus !== 200)).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
  });
});
