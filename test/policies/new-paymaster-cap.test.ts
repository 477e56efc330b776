import { parseEther, parseGwei } from 'viem';
import { expect, test, vi } from 'vitest';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { mineAt } from '../support/chain/own-bundles.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { fundedTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

const service = useProductionService({ settings: () => ({ chain: { maxCostPerOperation: '0.05 ether' } }) });

test('a new paymaster caps the cost of an operation, until its owner sets another cap', async () => {
  const { devnet } = service();
  const { rpcUrl, management, apiKey } = await fundedTank(service(), { family: '0.7', amount: parseEther('10') });
  const { maxCostPerOperation: { wei = '0' } = {}, etag: _, ...others } = await management.readPolicy({ apiKey });
  expect(BigInt(wei)).toBeGreaterThanOrEqual(parseEther('0.005'));
  expect(BigInt(wei)).toBeLessThanOrEqual(parseEther('0.05'));

  const baseFee = parseGwei('60');
  await mineAt(devnet, baseFee);
  const drafted = await nextOperation(devnet, newSmartAccount('0.7'), [targetCall(devnet, 'increment')]);
  const dear = { ...drafted, maxFeePerGas: 2n * baseFee, maxPriorityFeePerGas: parseGwei('1') };
  const refused = await vi.waitFor(async () => {
    const answer = await askSponsorship(rpcUrl, dear);
    expect(answer.reason).toBe('LIMIT_EXCEEDED');
    return answer;
  });
  expect(refused.message).toMatch(/can cost up to .*; the policy of this paymaster sponsors at most/);
  await management.setPolicy({
    apiKey,
    policy: { ...others, maxCostPerOperation: { wei: String(parseEther('0.05')) } },
  });
  expect((await askSponsorship(rpcUrl, dear)).httpStatus).toBe(200);
});
