import { http, maxUint256 } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { sponsorOrPay } from '../../clients/sdk/tokens/sponsor-or-pay.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { defaultPolicy, type Policy } from '../../core/domain/policy.ts';
import { accepted } from '../../server/accepted.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  approveCall,
  fundWithTokens,
  mint,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { landAndCompare } from '../support/chain/chain-landing.ts';
import { readSignedTerms } from '../support/paymaster-contracts/signed-terms.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { askRpc, quotesAnswer } from '../support/service/chain-rpc.ts';
import {
  askQuotes,
  askSponsorship,
  maximumOf,
  quoteFor,
  sponsor,
  withAnswer,
} from '../support/service/chain-sponsorship.ts';
import { type ClientLab, chainClient, openClientLab, simpleAccount } from '../support/service/client-lab.ts';

// Users pay a part of the gas in a token; what they do not pay counts as what is sponsored does.

const userPaysPercent = 30;
const shared: Policy = { ...defaultPolicy, userPaysPercent };

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab({ handle: 'grpc' });
});
afterAll(() => lab?.close());

async function owned(version: EntryPointVersion) {
  const { accountId } = accepted(await lab.service.core.authenticate({ authToken: lab.authToken }));
  return { accountId, paymasterId: lab.paymaster(version).paymasterId };
}

async function setPolicy(version: EntryPointVersion, policy: Policy) {
  accepted(await lab.service.core.setPolicy({ ...(await owned(version)), policy }));
}

const token = () => tokenWith(lab.devnet, 18);
const increment = () => targetCall(lab.devnet, 'increment');

/** An account with tokens that the paymaster may take. */
async function openPayer(version: EntryPointVersion, calls = [increment()]) {
  const account = newSmartAccount(version);
  const operation = await nextOperation(lab.devnet, account, calls);
  const { address: spender, rpcUrl } = lab.paymaster(version);
  await fundWithTokens(lab.devnet, token(), { owner: operation.sender, spender });
  const wish = { token: token().address };
  return { account, operation, sender: operation.sender, url: rpcUrl, wish };
}

describe.each(rowsOfRun(entryPointVersions.toReversed(), 1))(
  'a policy whose users pay 30 %%, on EntryPoint %s',
  (version) => {
    beforeEach(() => setPolicy(version, shared));

    test('does not sponsor the whole, and says how to pay the share', async () => {
      const { operation, url } = await openPayer(version);
      const refused = await askSponsorship(url, operation);
      expect(refused).toMatchObject({ httpStatus: 422, code: -32017, reason: 'USER_PAYS_SHARE' });
      expect(refused.message).toBe(
        'Users pay 30 % of the gas in a token; the rest is sponsored. Send the request in mode ERC20.',
      );
    });

    test('quotes and takes 30 % of what token mode costs, and counts the rest to the wei', async () => {
      const max = 10n ** 18n;
      await setPolicy(version, { ...shared, limits: [{ per: 'sender', window: 'day', unit: 'wei', max }] });
      const { account, operation, sender, url, wish } = await openPayer(version);
      const policyId = lab.policyId(version);
      const whole = await quoteFor(url, operation, { ...wish, policyId });
      const quoted = await quoteFor(url, operation, wish);
      expect(whole).not.toHaveProperty('userPaysPercent');
      expect(quoted).toMatchObject({ userPaysPercent: 30, premiumPercentage: whole.premiumPercentage });
      expect(Number(maximumOf(quoted)) / Number(maximumOf(whole))).toBeCloseTo(0.3, 6);

      const before = await readSums(version);
      const signed = withAnswer(operation, await sponsor(url, operation, wish));
      const landed = await landAndCompare(lab.devnet, account, signed, token());
      expect(landed).toMatchObject({ outcome: { success: true }, increments: 1n, accountPaid: 0n });
      const { rate } = readSignedTerms(version, 'ERC20', signed.paymasterAndData);
      const { actualGasCost: charge } = landed.outcome;
      expect(landed.tokensPaid).toBeLessThanOrEqual(maximumOf(quoted));
      // More than the share of the cost itself: of the postOp, too, which the contract adds.
      expect(landed.tokensPaid).toBeGreaterThan((charge * rate) / 10n ** 18n - 1n);

      const sponsoredWei = charge - (charge * 30n) / 100n;
      await vi.waitFor(
        async () => {
          const page = accepted(
            await lab.service.core.listDecisions({ ...(await owned(version)), filter: { sender }, limit: 9 }),
          );
          expect(page.decisions.find(({ outcome }) => outcome === 'signed')?.settlement).toMatchObject({
            state: 'settled',
            charge,
            tokenPayment: { amount: landed.tokensPaid },
          });
        },
        { timeout: 15_000 },
      );
      const after = await readSums(version);
      expect(after.spent - before.spent).toBe(charge);
      expect(after.usersPaid - before.usersPaid).toBe(charge - sponsoredWei);
      // At the price of the development chain's coin, 2,000 USD.
      const paidUsdMicros = ((charge - sponsoredWei) * 2_000_000_000n) / 10n ** 18n;
      expect(after.usersPaidUsdMicros - before.usersPaidUsdMicros).toBe(paidUsdMicros);
      expect(after.used - before.used).toBe(charge);
      expect(after.usedByUsers - before.usedByUsers).toBe(charge - sponsoredWei);
      // A limit counts what was sponsored, and no more.
      const { limits } = accepted(
        await lab.service.core.getAllowance({
          apiKey: lab.paymaster(version).apiKey,
          chainId: lab.devnet.chainId,
          sender,
        }),
      );
      expect(limits).toEqual([expect.objectContaining({ left: max - sponsoredWei })]);
      const reports = accepted(await lab.service.core.checkLedger({ allRows: true }));
      expect(reports.find(({ contract }) => contract === lab.paymaster(version).address)).toMatchObject({
        state: 'compared',
        difference: 0n,
        faults: [],
        unexplainedCosts: 0n,
      });
    });
  },
);

/** What the statement and the usage of the paymaster come to. */
async function readSums(version: EntryPointVersion) {
  const of = await owned(version);
  const { tanks } = accepted(await lab.service.core.readGasTankStatement(of));
  const [tank] = tanks;
  const rows = accepted(await lab.service.core.getUsage({ ...of, by: 'day' }));
  return {
    spent: tank?.spent.wei ?? 0n,
    usersPaid: tank?.usersPaid.wei ?? 0n,
    usersPaidUsdMicros: tank?.usersPaid.usdMicros ?? 0n,
    used: rows.reduce((sum, { charge }) => sum + charge, 0n),
    usedByUsers: rows.reduce((sum, { usersPaid }) => sum + usersPaid, 0n),
  };
}

describe('what is sponsored in part', () => {
  const version = '0.7';
  const perSender = (max: bigint): Policy['limits'] => [{ per: 'sender', window: 'day', unit: 'operations', max }];

  test('is bound by contracts and methods as what is sponsored is', async () => {
    await setPolicy(version, shared);
    const forbidden = { ...approveCall(token(), lab.devnet.tokenRecipient, 1n) };
    const { operation, url, wish } = await openPayer(version, [forbidden]);
    expect(await askSponsorship(url, operation, wish)).toMatchObject({ reason: 'CONTRACT_NOT_REGISTERED' });
    expect(await askQuotes(url, operation, wish)).toMatchObject({ reason: 'CONTRACT_NOT_REGISTERED' });
    // How the user pays is no one else's affair.
    const approval = approveCall(token(), lab.paymaster(version).address, maxUint256);
    const paid = await openPayer(version, [approval, increment()]);
    await sponsor(paid.url, paid.operation, wish);
  });

  test('uses limits, and is refused when they are used up, before a price is quoted', async () => {
    await setPolicy(version, { ...shared, limits: perSender(1n) });
    const { account, operation, url, wish } = await openPayer(version);
    await sponsor(url, operation, wish);
    const second = await nextOperation(lab.devnet, account, [increment()], 7n);
    expect(await askQuotes(url, second, wish)).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
    expect(await askSponsorship(url, second, wish)).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
    // What is held already is asked for again.
    expect(await askSponsorship(url, operation, wish)).toMatchObject({ httpStatus: 200 });
  });

  test('is paid for as a whole when limits are used up, where the policy says so, and the quote says it', async () => {
    await setPolicy(version, { ...shared, thenPayInToken: true, limits: perSender(0n) });
    const { operation, url, wish } = await openPayer(version);
    const quoted = await quoteFor(url, operation, wish);
    const whole = await quoteFor(url, operation, { ...wish, policyId: lab.policyId(version) });
    expect(quoted).not.toHaveProperty('userPaysPercent');
    expect(maximumOf(quoted)).toBe(maximumOf(whole));
    const signed = await sponsor(url, operation, wish);
    const { rate } = readSignedTerms(version, 'ERC20', signed.paymasterAndData);
    expect(Number(rate)).toBeGreaterThan(quoted.exchangeRate * 0.999);
  });

  test('is not signed at the quoted share once its limit is used up: a new quote says what it costs', async () => {
    const policy = { ...shared, thenPayInToken: true };
    await setPolicy(version, { ...policy, limits: perSender(1n) });
    const { operation, url, wish } = await openPayer(version);
    expect(await quoteFor(url, operation, wish)).toMatchObject({ userPaysPercent: 30 });
    await setPolicy(version, { ...policy, limits: perSender(0n) });
    const refused = await askSponsorship(url, operation, wish);
    expect(refused).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
    expect(refused.message).toMatch(/Request a new quote\.$/);
    expect(await quoteFor(url, operation, wish)).not.toHaveProperty('userPaysPercent');
    await sponsor(url, operation, wish);
  });

  test('is quoted to a request that leaves the mode to the service', async () => {
    await setPolicy(version, shared);
    const { operation, url } = await openPayer(version);
    const sponsorshipInfo = { webhookData: {}, smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' } };
    const answer = await askRpc(url, 'pm_getFeeQuoteOrData', [toRpcUserOperation(operation), { sponsorshipInfo }]);
    const { feeQuotes } = quotesAnswer(answer);
    expect(feeQuotes.length).toBeGreaterThan(1);
    expect(feeQuotes.every((quote) => quote.userPaysPercent === 30)).toBe(true);
  });

  test('has a stub, which is refused too when a limit is used up', async () => {
    const ask = async (limits: Policy['limits']) => {
      await setPolicy(version, { ...shared, limits });
      const { operation, url, wish } = await openPayer(version);
      const { entryPoints, chainId } = lab.devnet;
      const params = [toRpcUserOperation(operation), entryPoints[version], `0x${chainId.toString(16)}`, wish];
      return askRpc(url, 'pm_getPaymasterStubData', params);
    };
    expect(await ask(perSender(1n))).toMatchObject({ result: { paymaster: lab.paymaster(version).address } });
    expect(await ask(perSender(0n))).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
  });

  test('is paid with one call of the SDK that knows nothing of shares', async () => {
    await setPolicy(version, shared);
    const account = await simpleAccount(lab.devnet, version);
    await mint(lab.devnet, token(), account.address, 10n ** 24n);
    const bundlerClient = createBundlerClient({
      account,
      client: chainClient(lab.devnet),
      transport: http(lab.bundler.url, { retryCount: 0 }),
      pollingInterval: 20,
    });
    const client = createSponsorClient({ url: lab.paymaster(version).rpcUrl });
    const payIn = { token: token().address, maximum: 10n ** 24n };
    const sent = await sponsorOrPay(client, { bundlerClient, calls: [increment()], payIn });
    expect(sent).toMatchObject({ paidBy: 'user' });
    expect(await bundlerClient.waitForUserOperationReceipt({ hash: sent.hash })).toMatchObject({ success: true });
  });

  test('is no policy of a paymaster that takes no tokens', async () => {
    const policy: Policy = { ...shared, tokens: { enabled: false, allowed: [] } };
    const refused = await lab.service.core.setPolicy({ ...(await owned(version)), policy });
    expect(refused).toMatchObject({ refusal: { reason: 'INVALID_FIELD', field: 'userPaysPercent' } });
  });

  test('a quote for the share does not hold for a policy without one', async () => {
    await setPolicy(version, shared);
    const { operation, url, wish } = await openPayer(version);
    expect(await quoteFor(url, operation, wish)).toMatchObject({ userPaysPercent: 30 });
    const other = { ...wish, policyId: lab.policyId(version) };
    expect(await askSponsorship(url, operation, other)).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
    const { feeQuotes } = quotesAnswer(await askQuotes(url, operation, other));
    expect(feeQuotes[0]).not.toHaveProperty('userPaysPercent');
    const signed = await sponsor(url, operation, other);
    const { rate } = readSignedTerms(version, 'ERC20', signed.paymasterAndData);
    expect(Number(rate)).toBeGreaterThan((feeQuotes[0]?.exchangeRate ?? Infinity) * 0.999);
  });
});
