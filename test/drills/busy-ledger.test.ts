import { getAddress, parseEther } from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import { usageDimensions } from '../../core/domain/usage.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  depositOf,
  newSmartAccount,
  nextOperation,
  type SmartAccount,
  targetCall,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import { type RpcAnswer, signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

const service = useProductionService({ ownNode: true });
afterEach(() => service().setAhead(0));

/** How long the ledger of a busy machine may take to follow. */
const patience = { timeout: 30_000, interval: 100 };
/** More than a machine's clock and its chain may differ by, in seconds. */
const farApart = 3_600;

type Asked = { readonly account: SmartAccount; readonly drafted: DevUserOperation };

async function draft({ version }: ProductionTank): Promise<Asked> {
  const account = newSmartAccount(version);
  return {
    account,
    drafted: await nextOperation(service().devnet, account, [targetCall(service().devnet, 'increment')]),
  };
}

async function landAs({ account, drafted }: Asked, answer: ReturnType<typeof signedAnswer>): Promise<void> {
  const { success } = await land(service().devnet, account, withAnswer(drafted, answer));
  expect(success).toBe(true);
}

/** All that was signed has settled, the operator's check passes, and the deposit in ledger is the chain's to the wei. */
async function expectExactLedger(tank: ProductionTank): Promise<void> {
  const { devnet, operate } = service();
  await mineConfirmations(devnet);
  const held = () => tank.management.readGasTank({ apiKey: tank.apiKey }).then(({ held }) => BigInt(held));
  await expect.poll(held, patience).toBe(0n);
  const report = await operate('ledger', 'check');
  const [, part] = report.split(`contract ${getAddress(tank.contract)}, `);
  const deposit = /deposit in ledger\s+\S+ ether \((\d+) wei\)/.exec(part ?? '')?.[1];
  expect(deposit).toBe(String(await depositOf(devnet, tank.version, tank.contract)));
}

/** What is asked of the ledger again and again; each has to be answered. */
function readsOf({ management, apiKey }: ProductionTank): readonly (() => Promise<unknown>)[] {
  const metrics = async () => {
    const text = await (await fetch(`${service().adminUrl}/metrics`)).text();
    expect(text).not.toMatch(/^tollfree_ledger_difference_wei\{.*\} [^0]/m);
  };
  return [
    metrics,
    ...usageDimensions.map((by) => () => management.getUsage({ apiKey, by })),
    () => management.readGasTank({ apiKey }),
    () => management.listGasTankEntries({ apiKey, limit: 200 }),
    () => management.listDecisions({ apiKey }),
    () => service().operate('ledger', 'check'),
    ...wideLimits.map((limit) => () => management.setPolicy({ apiKey, policy: { limits: [countsAll, limit] } })),
  ];
}

/** Set all the time, so it counts everything, whatever else is set. */
const countsAll = { per: 'TOTAL', window: 'EVER', unit: 'OPERATIONS', max: '1000' } as const;
const wideLimits = [
  { per: 'TOTAL', window: 'MONTH', unit: 'USD', max: '1000' },
  { per: 'SENDER', window: 'EVER', unit: 'WEI', max: '1000000000000000000' },
  { per: 'TOTAL', window: 'MONTH', unit: 'WEI', max: '1000000000000000000' },
] as const;

test('ledger and counts stay exact while all kinds of reads and new limits run next to signing and landing', async () => {
  const tank = await fundedTank(service(), { family: '0.7', amount: parseEther('5') });
  const { management, apiKey } = tank;
  await management.setPolicy({ apiKey, policy: { limits: [countsAll] } });
  const answers: RpcAnswer[] = [];
  let landed = 0;
  let isOver = false;
  let last: Promise<void> = Promise.resolve();
  // One bundler sends them all.
  const landInTurn = (work: () => Promise<void>) => {
    last = last.then(work);
    return last;
  };
  const reading = (async () => {
    while (!isOver) for (const read of readsOf(tank)) await read();
  })();
  const lanes = [0, 1].map(async () => {
    for (let left = 8; left > 0; left -= 1) {
      const asked = await draft(tank);
      const answer = await askSponsorship(tank.rpcUrl, asked.drafted, { expiryDuration: 120 });
      answers.push(answer);
      if (answer.httpStatus !== 200) continue;
      await landInTurn(() => landAs(asked, signedAnswer(answer)));
      landed += 1;
    }
  });
  await Promise.all(lanes);
  isOver = true;
  await reading;

  // A limit in USD that comes into force while a request is under way finds it without a price, and a policy that is set again and
  // again has it decided again too often.
  const refused = answers.filter(({ httpStatus }) => httpStatus !== 200);
  for (const { reason, message } of refused)
    expect([reason, message]).toEqual([
      expect.stringMatching(/^(PRICE_UNAVAILABLE|RATE_LIMITED)$/),
      expect.any(String),
    ]);
  expect(landed).toBe(answers.length - refused.length);
  expect(landed).toBeGreaterThan(0);
  await expectExactLedger(tank);
  const upTo = (max: number) => ({ limits: [{ ...countsAll, max: String(max) }] });
  const { drafted } = await draft(tank);
  await management.setPolicy({ apiKey, policy: upTo(landed) });
  expect(await askSponsorship(tank.rpcUrl, drafted)).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
  await management.setPolicy({ apiKey, policy: upTo(landed + 1) });
  expect(await askSponsorship(tank.rpcUrl, drafted)).toMatchObject({ httpStatus: 200 });
});

describe('the machine’s clock and the chain’s', () => {
  test.each([
    ['an hour ahead', farApart],
    ['an hour behind', -farApart],
  ])('%s: nothing is signed, what is under way lands, and all goes on when it is fixed', async (_, seconds) => {
    const tank = await fundedTank(service(), { family: '0.7', amount: parseEther('1') });
    const under = await draft(tank);
    const answer = await sponsor(tank.rpcUrl, under.drafted);

    service().setAhead(seconds * 1_000);
    for (const wish of [{}, { client: '192.0.2.7' }]) {
      const refused = await askSponsorship(tank.rpcUrl, (await draft(tank)).drafted, wish);
      expect(refused).toMatchObject({ httpStatus: 503, reason: 'CHAIN_UNAVAILABLE' });
    }
    await landAs(under, answer);
    await expectExactLedger(tank);

    service().setAhead(0);
    await expectToGoOn(tank);
  });

  // The last one of the chain's clock: it does not go back.
  test('a chain whose newest block is an hour ahead: nothing is signed until the machine has come there', async () => {
    const { devnet } = service();
    const tank = await fundedTank(service(), { family: '0.7', amount: parseEther('1') });
    const unsent = await draft(tank);
    await sponsor(tank.rpcUrl, unsent.drafted);
    await devnet.client.increaseTime({ seconds: farApart });
    await mineConfirmations(devnet);
    const refused = () => askSponsorship(tank.rpcUrl, unsent.drafted).then(({ httpStatus }) => httpStatus);
    await expect.poll(refused, patience).toBe(503);
    // Its signature has ended by the chain's clock, whatever the machine's says.
    await expectExactLedger(tank);

    service().setAhead(farApart * 1_000);
    await expectToGoOn(tank);
  });

  /** For a clock that has jumped the ledger is old until it has looked at the chain again. */
  async function expectToGoOn(tank: ProductionTank): Promise<void> {
    const next = await draft(tank);
    const signed = () => askSponsorship(tank.rpcUrl, next.drafted).then(({ httpStatus }) => httpStatus);
    await expect.poll(signed, patience).toBe(200);
    await landAs(next, await sponsor(tank.rpcUrl, next.drafted));
    await expectExactLedger(tank);
  }
});
