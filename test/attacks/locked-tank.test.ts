import { parseEther, parseGwei } from 'viem';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { connectCore } from '../../core/grpc/client.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { depositOf, newSmartAccount, nextOperation, plainLimits, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { askSponsorship, sponsor, type Wish } from '../support/service/chain-sponsorship.ts';
import type { ProductionService } from '../support/service/production-service.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { deployPayer } from './token-payer.ts';

/** Its signatures never end. */
const lasting = 'biconomy-sponsorship-1.0.0';
/** Ten minutes, the longest that is signed for, and one for clocks that differ, in seconds. */
const longest = 660n;
/** Every operation has this price: it holds the same of a tank, whatever the chain asks for at the time. */
const price = { maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: parseGwei('1') };

type Given = { readonly service: ProductionService; readonly tank: ProductionTank };

/** An operation of a new sender, who pays nothing to ask for it. */
async function draft({ devnet }: ProductionService, version: EntryPointVersion): Promise<DevUserOperation> {
  return { ...(await nextOperation(devnet, newSmartAccount(version), [targetCall(devnet, 'increment')])), ...price };
}

/** Copies of an operation that differ in the nonce key: a sender can have any number of them open. */
function copies(operation: DevUserOperation, count: number): readonly DevUserOperation[] {
  return Array.from({ length: count }, (_, key) => ({ ...operation, nonce: operation.nonce + (BigInt(key) << 64n) }));
}

/** How many operations are signed when they are asked for one after the other, and why the others are not. */
async function signAll({ rpcUrl }: ProductionTank, operations: readonly DevUserOperation[], wish: Wish = {}) {
  let signed = 0;
  const refusals: Awaited<ReturnType<typeof askSponsorship>>[] = [];
  for (const operation of operations) {
    const answer = await askSponsorship(rpcUrl, operation, wish);
    if (answer.httpStatus === 200) signed += 1;
    else refusals.push(answer);
  }
  return { signed, refusals };
}

async function heldOf({ management, apiKey }: ProductionTank): Promise<bigint> {
  return BigInt((await management.readGasTank({ apiKey })).held);
}

/** What one operation holds of a tank, in wei. */
async function measureHold(service: ProductionService, family: string): Promise<bigint> {
  const tank = await fundedTank(service, { family, amount: parseEther('10') });
  await sponsor(tank.rpcUrl, await draft(service, tank.version));
  return heldOf(tank);
}

/** What the attack costs: no wei of anybody. */
async function costOf({ service: { devnet }, tank }: Given, sender: `0x${string}`, attack: () => Promise<void>) {
  const read = async () => ({
    attacker: await devnet.client.getBalance({ address: sender }),
    deposit: await depositOf(devnet, tank.version, tank.contract),
  });
  const before = await read();
  await attack();
  const after = await read();
  return { attacker: after.attacker - before.attacker, deposit: after.deposit - before.deposit };
}

const free = { attacker: 0n, deposit: 0n };

describe('where the operator has taken the caps away', () => {
  const service = useProductionService({
    settings: () => ({
      holds: {
        maxOpenHoldsPerSender: 100_000,
        maxShareOfTankPerSender: 1,
        maxOpenHoldsPerClient: 1_000_000,
        maxShareOfTankPerClient: 1,
      },
    }),
  });

  test.each(tabledEntryPoints)('one sender locks the tank of %s for nothing', async (family) => {
    const hold = await measureHold(service(), family);
    const tank = await fundedTank(service(), { family, amount: (hold * 25n) / 2n });
    const operation = await draft(service(), tank.version);
    const cost = await costOf({ service: service(), tank }, operation.sender, async () => {
      expect((await signAll(tank, copies(operation, 14))).signed).toBe(12);
    });
    expect(cost).toEqual(free);
    const victim = await askSponsorship(tank.rpcUrl, await draft(service(), tank.version), { client: '203.0.113.9' });
    expect(victim).toMatchObject({ reason: 'INSUFFICIENT_FUNDS' });
  });
});

describe('without a word of the operator', () => {
  const service = useProductionService();
  const holds = new Map<string, bigint>();
  const holdOf = (family: string) => holds.get(family) ?? expect.fail(`${family} was not measured.`);
  beforeAll(async () => {
    for (const family of [...tabledEntryPoints, lasting]) holds.set(family, await measureHold(service(), family));
  });
  afterEach(() => service().setAhead(0));

  test.each([...tabledEntryPoints, lasting])('a nonce that has moved on frees what %s held for it', async (family) => {
    const { devnet } = service();
    const tank = await fundedTank(service(), { family, amount: parseEther('10') });
    const { account } = await deployPayer(devnet, tank.version);
    const operation = { ...(await nextOperation(devnet, account, [targetCall(devnet, 'increment')])), ...price };
    await sponsor(tank.rpcUrl, operation);
    expect(await heldOf(tank)).toBeGreaterThan(0n);
    await land(devnet, account, { ...operation, ...plainLimits('deployed') });
    await mineConfirmations(devnet);
    // Holds younger than a minute are not asked about, nor are all of them more often.
    let ahead = 0;
    const held = () => {
      ahead += 61_000;
      service().setAhead(ahead);
      return heldOf(tank);
    };
    await expect.poll(held, { timeout: 20_000, interval: 500 }).toBe(0n);
    await service().setRight();
  });

  describe.each(tabledEntryPoints)('EntryPoint %s', (version) => {
    test('signs ten open operations of a sender; a repeat joins its hold, and another sender goes on', async () => {
      const tank = await fundedTank(service(), { family: version, amount: parseEther('10') });
      const operation = await draft(service(), version);
      const cost = await costOf({ service: service(), tank }, operation.sender, async () => {
        const { signed, refusals } = await signAll(tank, copies(operation, 13));
        expect(signed).toBe(10);
        for (const refusal of refusals) expect(refusal).toMatchObject({ httpStatus: 422, reason: 'LIMIT_EXCEEDED' });
      });
      expect(cost).toEqual(free);
      const held = await heldOf(tank);
      expect((await signAll(tank, copies(operation, 10))).signed).toBe(10);
      expect(await heldOf(tank)).toBe(held);
      expect(await sponsor(tank.rpcUrl, await draft(service(), version))).toMatchObject({ MODE: 'SPONSORED' });
    });

    test('lets a sender hold a tenth of the tank, or one operation if that is more', async () => {
      const roomy = await fundedTank(service(), { family: version, amount: holdOf(version) * 45n });
      expect((await signAll(roomy, copies(await draft(service(), version), 6))).signed).toBe(4);
      const tight = await fundedTank(service(), { family: version, amount: holdOf(version) * 3n });
      const { signed, refusals } = await signAll(tight, copies(await draft(service(), version), 2));
      expect(signed).toBe(1);
      expect(refusals[0]).toMatchObject({ reason: 'LIMIT_EXCEEDED', message: expect.not.stringMatching(/\d{6}/) });
    });

    test('lets one address hold half of the tank, whichever senders it makes up; other callers go on', async () => {
      const tank = await fundedTank(service(), { family: version, amount: (holdOf(version) * 21n) / 2n });
      const senders = await Promise.all(Array.from({ length: 7 }, () => draft(service(), version)));
      const { signed, refusals } = await signAll(tank, senders, { client: '198.51.100.1' });
      expect(signed).toBe(5);
      const message = expect.stringMatching(/^The address of this request/);
      expect(refusals[0]).toMatchObject({ httpStatus: 422, reason: 'LIMIT_EXCEEDED', message });
      expect((await signAll(tank, senders.slice(5, 6), { client: '198.51.100.2' })).signed).toBe(1);
      expect((await askInternally(tank, await draft(service(), version))).ok).toBe(true);
    });
  });

  test('one address has 200 open operations', async () => {
    const client = '198.51.100.7';
    const tank = await fundedTank(service(), { family: '0.7', amount: parseEther('100') });
    const senders = await Promise.all(Array.from({ length: 21 }, () => draft(service(), '0.7')));
    const signed = await Promise.all(
      senders.slice(0, 20).map((sender) => signAll(tank, copies(sender, 10), { client })),
    );
    expect(signed.map((each) => each.signed)).toEqual(Array.from({ length: 20 }, () => 10));
    // So many at once are a whole burst of requests: a service that is fast says that first.
    await vi.waitFor(async () => {
      const { refusals } = await signAll(tank, senders.slice(20), { client });
      expect(refusals[0]).toMatchObject({ httpStatus: 422, reason: 'LIMIT_EXCEEDED' });
    }, 20_000);
  });

  test('signatures without an end lock half of their tank, no matter who asks, until their nonces are used', async () => {
    const tank = await fundedTank(service(), { family: lasting, amount: (holdOf(lasting) * 21n) / 2n });
    const payers = await Promise.all(Array.from({ length: 6 }, () => draft(service(), tank.version)));
    let signed = 0;
    for (const [index, operation] of payers.entries()) {
      // Each from an address of its own.
      signed += (await signAll(tank, [operation], { client: `192.0.2.${index + 1}` })).signed;
    }
    expect(signed).toBe(5);
    const answer = await askSponsorship(tank.rpcUrl, await draft(service(), tank.version), {
      client: '192.0.2.99',
    });
    expect(answer).toMatchObject({ reason: 'LIMIT_EXCEEDED', message: expect.stringContaining('never expire') });
  });

  // The last one: the chain does not go back in time.
  test('tanks are free again ten minutes after signatures that were never sent, with the longest window', async () => {
    const { devnet } = service();
    const tanks: ProductionTank[] = [];
    for (const version of tabledEntryPoints) {
      const tank = await fundedTank(service(), { family: version, amount: holdOf(version) * 45n });
      const wish = { expiryDuration: 600 };
      expect((await signAll(tank, copies(await draft(service(), version), 4), wish)).signed).toBe(4);
      tanks.push(tank);
    }
    const { timestamp } = await devnet.client.getBlock();
    await devnet.client.setNextBlockTimestamp({ timestamp: timestamp + longest });
    await devnet.client.mine({ blocks: 1 });
    service().setAhead(Number(longest) * 1_000);
    await mineConfirmations(devnet);
    for (const tank of tanks) await expect.poll(() => heldOf(tank), { timeout: 20_000, interval: 50 }).toBe(0n);
  });

  /** A caller inside, who is trusted and whose address no one knows. */
  async function askInternally({ apiKey }: ProductionTank, operation: DevUserOperation) {
    const { core, close } = connectCore({ address: service().coreAddress });
    try {
      return await core.getFeeQuoteOrData({
        apiKey,
        chainId: service().devnet.chainId,
        userOperation: toRpcUserOperation(operation),
        context: {
          mode: 'SPONSORED',
          sponsorshipInfoGiven: true,
          smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' },
        },
      });
    } finally {
      close();
    }
  }
});
