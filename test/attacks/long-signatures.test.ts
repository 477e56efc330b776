import { parseEther, parseGwei } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { quotesAnswer } from '../support/service/chain-rpc.ts';
import { askQuotes, askSponsorship, sponsor } from '../support/service/chain-sponsorship.ts';
import type { ProductionService } from '../support/service/production-service.ts';
import { fundedTank, openTank, type ProductionTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

// A caller asks for signatures that last a day, and never sends what was signed.

const day = 86_400;
/** Every operation has this price: it holds the same of a tank, whatever the chain asks for at the time. */
const price = { maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: parseGwei('1') };
const byPolicy = { validity: { maxSecondsByPolicy: day } };

async function draft({ devnet }: ProductionService): Promise<DevUserOperation> {
  return { ...(await nextOperation(devnet, newSmartAccount('0.7'), [targetCall(devnet, 'increment')])), ...price };
}

async function measureHold(service: ProductionService): Promise<bigint> {
  const tank = await fundedTank(service, { family: '0.7', amount: parseEther('10') });
  await sponsor(tank.rpcUrl, await draft(service));
  return BigInt((await tank.management.readGasTank({ apiKey: tank.apiKey })).held);
}

/** Asks for so many, each of another account and from another address. */
async function askForMany(service: ProductionService, { rpcUrl }: ProductionTank, count: number) {
  const answers = [];
  for (let index = 1; index <= count; index += 1) {
    const wish = { expiryDuration: day, client: `192.0.2.${index}` };
    answers.push(await askSponsorship(rpcUrl, await draft(service), wish));
  }
  return { signed: answers.filter(({ httpStatus }) => httpStatus === 200).length, answers };
}

const policy = { maxValiditySeconds: day };
const now = () => Math.floor(Date.now() / 1_000);

describe('without a cap on what lasts long', () => {
  const service = useProductionService({ settings: () => ({ ...byPolicy, holds: { maxShareOfTankLastingLong: 1 } }) });

  test('the tank is locked for a day at no cost', async () => {
    const hold = await measureHold(service());
    const tank = await fundedTank(service(), { family: '0.7', amount: (hold * 21n) / 2n, policy });
    expect((await askForMany(service(), tank, 11)).signed).toBe(10);
    const victim = await askSponsorship(tank.rpcUrl, await draft(service()), { client: '203.0.113.9' });
    expect(victim).toMatchObject({ reason: 'INSUFFICIENT_FUNDS' });
  });
});

describe('where the operator lets policies have signatures that last a day', () => {
  const service = useProductionService({ settings: () => byPolicy });
  let hold = 0n;
  beforeAll(async () => {
    hold = await measureHold(service());
  });

  test('they take a fifth of the tank together, and all others go on', async () => {
    const tank = await fundedTank(service(), { family: '0.7', amount: (hold * 21n) / 2n, policy });
    const { signed, answers } = await askForMany(service(), tank, 4);
    expect(signed).toBe(2);
    expect(answers[2]).toMatchObject({ httpStatus: 422, reason: 'LIMIT_EXCEEDED' });
    expect(answers[2]?.message).toMatch(/Request a shorter expiryDuration/);
    for (let index = 0; index < 8; index += 1) {
      const wish = { client: `203.0.113.${index}` };
      expect(await sponsor(tank.rpcUrl, await draft(service()), wish)).toMatchObject({ MODE: 'SPONSORED' });
    }
  });

  test('a signature lasts a day where its policy says so, and ten minutes where it says nothing', async () => {
    const long = await fundedTank(service(), { family: '0.7', amount: hold * 20n, policy });
    const signed = await sponsor(long.rpcUrl, await draft(service()), { expiryDuration: day });
    expect(signed.validUntil).toBeGreaterThan(now() + day - 300);
    const short = await fundedTank(service(), { family: '0.7', amount: hold * 20n });
    const other = await sponsor(short.rpcUrl, await draft(service()), { expiryDuration: 600 });
    expect(other.validUntil).toBeLessThanOrEqual(now() + 900);
    const tooLong = await askSponsorship(short.rpcUrl, await draft(service()), { expiryDuration: day });
    expect(tooLong).toMatchObject({ reason: 'INVALID_PARAMS', message: expect.stringContaining('from 60 to 600') });
  });

  test('a price in a token is never held for longer than ten minutes', async () => {
    const tank = await fundedTank(service(), { family: '0.7', amount: hold * 20n, policy });
    const { address: token } = tokenWith(service().devnet, 18);
    const longest = await askQuotes(tank.rpcUrl, await draft(service()), { token, expiryDuration: day });
    const ends = quotesAnswer(longest).feeQuotes.map(({ validUntil }) => validUntil);
    expect(ends.map((end) => end <= now() + 900)).toEqual([true]);
  });
});

describe('where the operator says nothing of it', () => {
  const service = useProductionService();

  test('a policy cannot have signatures that last longer than all others', async () => {
    const tank = await openTank(service(), { family: '0.7' });
    const { apiKey, management } = tank;
    await expect(management.setPolicy({ apiKey, policy })).rejects.toThrow(
      'maxValiditySeconds must be at most 600, which the operator sets as validity.maxSecondsByPolicy',
    );
    await management.setPolicy({ apiKey, policy: { maxValiditySeconds: 600 } });
  });
});
