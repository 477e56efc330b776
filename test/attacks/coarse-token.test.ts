import { maxUint256, parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import {
  approveCall,
  mint,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { landAndCompare } from '../support/chain/chain-landing.ts';
import { quotesAnswer } from '../support/service/chain-rpc.ts';
import { askQuotes, askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

const fixed = (usd: string) => ({ sources: [{ kind: 'fixed', usd }], minimumSources: 1 });

/** The chain's token of 6 decimals is worth so much that its base unit is a dollar. */
const service = useProductionService({
  settings: ({ tokens }) => ({
    chain: {
      tokens: tokens.map(({ symbol, address, decimals }) => ({
        symbol,
        address,
        decimals,
        price: fixed(decimals === 6 ? '1000000' : '2.5'),
      })),
    },
  }),
});

async function prepare(decimals: 6 | 18) {
  const { devnet } = service();
  const tank = await fundedTank(service(), { family: '0.7', amount: parseEther('1') });
  const token = tokenWith(devnet, decimals);
  const account = newSmartAccount('0.7');
  const calls = [approveCall(token, tank.contract, maxUint256), targetCall(devnet, 'increment')];
  const operation = await nextOperation(devnet, account, calls);
  await mint(devnet, token, operation.sender, 10n ** 30n);
  return { tank, token, account, operation };
}

describe('a token whose base unit is worth about as much as an operation costs', () => {
  const refused = { httpStatus: 422, code: -32017, reason: 'TOKEN_NOT_SUPPORTED' };

  test('pays for nothing: no signature and no quote is given for it, and the deposit stays', async () => {
    const { tank, token, operation } = await prepare(6);
    const signed = await askSponsorship(tank.rpcUrl, operation, { token: token.address });
    expect(signed).toMatchObject(refused);
    expect(signed.message).toMatch(/^devUSD is too coarse .* at least 20\. Use a token with more decimals/);
    expect(await askQuotes(tank.rpcUrl, operation, { token: token.address })).toMatchObject(refused);
    const { feeQuotes } = quotesAnswer(await askQuotes(tank.rpcUrl, operation));
    expect(feeQuotes.map(({ decimal }) => decimal)).toEqual([18]);
  });

  test('another token pays for the same operation at least what it costs', async () => {
    const { tank, token, account, operation } = await prepare(18);
    const signed = withAnswer(operation, await sponsor(tank.rpcUrl, operation, { token: token.address }));
    const { paymasterPaid, tokenRecipientReceived } = await landAndCompare(service().devnet, account, signed, token);
    // 2000 USD for a coin, 2.50 USD for a token.
    expect(tokenRecipientReceived).toBeGreaterThanOrEqual(paymasterPaid * 800n);
  });
});
