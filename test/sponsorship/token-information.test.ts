import { describe, expect, test } from 'vitest';
import { noKeyRules } from '../../core/domain/api-key-rules.ts';
import { accept, refuse } from '../../core/domain/result/result.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import type { PaymasterContractFamily } from '../../core/evm/paymaster-contracts/family/family.ts';
import { createTokenInformation } from '../../core/sponsorship/create-token-information.ts';
import type { SponsorshipParts } from '../../core/sponsorship/run/sponsorship-parts.ts';
import { contract as address, chainId, entryPoint, numberedAddress } from '../support/core/ledger-lab.ts';

const [apiKey, tokenRecipient] = ['key', numberedAddress(9)];
const [priced, unpriced] = [1, 2].map((number) => ({
  address: numberedAddress(number),
  symbol: `T${number}`,
  decimals: 6,
}));
const families = [...paymasterContractFamilies.values()];

/** What is told about a paymaster of a contract whose chain takes these tokens, one of which has a price. */
function tellOf(family: PaymasterContractFamily, tokens: readonly unknown[]) {
  const rate = async (token: unknown) =>
    token === priced
      ? accept({ token, rateWithPremium: 7n, nativeUsd: { value: 2_000n, decimals: 0 } })
      : refuse({ reason: 'PRICE_UNAVAILABLE', message: 'no price' });
  const chain = { rates: { tokens, rate } };
  const version = 'v';
  const contract = {
    version,
    family,
    tokenRecipient,
    premiumBasisPoints: 0,
    priceMarkup: 1_000_000,
    location: { address, chainId, entryPoint },
  };
  const key = { keyNumber: 0, isSet: false, rules: noKeyRules };
  const profile = { key, paymaster: { chainId, version, name: 'ours', fundingWallet: tokenRecipient }, policy: {} };
  // What is looked at.
  const parts = {
    profiles: { find: async () => profile },
    chains: new Map([[chainId, { ...chain, contracts: new Map([[version, contract]]) }]]),
  } as unknown as SponsorshipParts;
  return createTokenInformation(parts);
}

const request = { apiKey, chainId, entryPoint };

describe.each(families)('a paymaster of $name', (family) => {
  const isForTokensAlone = !family.modes.includes('SPONSORED');
  const takesTokens = family.modes.includes('ERC20');

  test('is described with the tokens that have a price', async () => {
    const reported = await tellOf(family, [unpriced, priced]).describePaymaster(request);
    expect(reported).toMatchObject({ ok: true, value: { name: 'ours', stub: { paymaster: address } } });
    expect(reported.ok && reported.value.tokens).toEqual(takesTokens ? [{ ...priced, exchangeRate: 7n }] : []);
  });

  test('cannot be described where it takes tokens alone and none has a price', async () => {
    const reported = await tellOf(family, [unpriced]).describePaymaster(request);
    expect(reported.ok ? reported.value.tokens : reported.refusal.reason).toEqual(
      isForTokensAlone ? 'PRICE_UNAVAILABLE' : [],
    );
  });

  test('names the field when it is asked for with another EntryPoint', async () => {
    const reported = await tellOf(family, []).describePaymaster({ ...request, entryPoint: tokenRecipient });
    expect(reported).toMatchObject({
      ok: false,
      refusal: { reason: 'ENTRY_POINT_NOT_SUPPORTED', field: 'entryPoint' },
    });
  });
});
