import { beforeEach, describe, expect, test } from 'vitest';
import { accept, type Result } from '../../core/domain/result/result.ts';
import {
  createSimulationTurns,
  type SimulationOwners,
  type SimulationTurns,
  simulationLimits,
} from '../../core/sponsorship/run/simulation-turns.ts';

const { atOnceOfClient, atOnceOfAccount, waitingOfClient, maxWaitMs } = simulationLimits;

let now: number;
let turns: SimulationTurns;
/** What the node simulates at the moment, by the client that asked, each with what ends it. */
let underWay: { readonly client: string | undefined; readonly end: () => void }[];

beforeEach(() => {
  now = 0;
  underWay = [];
  turns = createSimulationTurns({ now: () => now });
});

/** Asks for simulations that the node takes its time for: how many were begun, and the answers. */
function ask(count: number, owners: SimulationOwners): Promise<Result<string>>[] {
  return Array.from({ length: count }, () =>
    turns.run(owners, async () => {
      await new Promise<void>((resolve) => underWay.push({ client: owners.client, end: resolve }));
      return accept('simulated');
    }),
  );
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

async function endAll(): Promise<void> {
  await settled();
  while (underWay.length > 0) {
    for (const { end } of underWay.splice(0)) end();
    await settled();
  }
}

function counts(answers: readonly Result<string>[]) {
  const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.refusal.reason]));
  return { simulated: answers.length - refused.length, refused: new Set(refused), refusals: refused.length };
}

const of = (client: string | undefined, account = 'shop') => ({ client, account });

describe('one client that floods', () => {
  test('has a bounded number simulated at a time, a bounded number waiting, and the others refused by name', async () => {
    const answers = ask(300, of('flooder'));
    await settled();
    expect(underWay).toHaveLength(atOnceOfClient);
    await endAll();
    const mayPass = atOnceOfClient + waitingOfClient;
    expect(counts(await Promise.all(answers))).toEqual({
      simulated: mayPass,
      refusals: 300 - mayPass,
      refused: new Set(['RATE_LIMITED']),
    });
  });

  test('keeps no other client of the same apiKey waiting, nor another account', async () => {
    const flood = ask(300, of('flooder'));
    await settled();
    const honest = [...ask(1, of('ann')), ...ask(2, of('bob')), ...ask(3, of('cid', 'game'))];
    await settled();
    expect(underWay.filter(({ client }) => client !== 'flooder')).toHaveLength(6);
    await endAll();
    expect(counts(await Promise.all(honest))).toMatchObject({ simulated: 6, refusals: 0 });
    await Promise.all(flood);
  });

  test('is served again as soon as its own have ended', async () => {
    const flood = ask(300, of('flooder'));
    await endAll();
    await Promise.all(flood);
    const answers = ask(1, of('flooder'));
    await endAll();
    expect(counts(await Promise.all(answers))).toMatchObject({ simulated: 1 });
  });
});

test('many addresses that flood one account leave the others their turns', async () => {
  const flood = Array.from({ length: 50 }, (_, index) => ask(10, of(`bot ${index}`, 'flooded'))).flat();
  await settled();
  expect(underWay).toHaveLength(atOnceOfAccount);
  const honest = ask(5, of('ann', 'shop'));
  await settled();
  expect(underWay).toHaveLength(atOnceOfAccount + 5);
  await endAll();
  expect(counts(await Promise.all([...honest, ...flood]))).toMatchObject({ simulated: 505 });
});

test('a burst that the limits of requests let through is simulated, whole', async () => {
  const burst = ask(200, of('backend'));
  await endAll();
  expect(counts(await Promise.all(burst))).toMatchObject({ simulated: 200, refusals: 0 });
});

test('internal callers count under their account alone', async () => {
  const answers = ask(100, of(undefined));
  await settled();
  expect(underWay).toHaveLength(atOnceOfAccount);
  await endAll();
  expect(counts(await Promise.all(answers))).toMatchObject({ simulated: 100 });
});

test('what has waited too long is refused, so that nothing is simulated for a caller who has gone', async () => {
  const answers = ask(atOnceOfClient + 3, of('slow'));
  await settled();
  now += maxWaitMs + 1;
  await endAll();
  expect(counts(await Promise.all(answers))).toMatchObject({ simulated: atOnceOfClient, refusals: 3 });
});

test('a simulation that throws gives its turn back', async () => {
  const failing = Array.from({ length: 100 }, () =>
    turns.run(of('ann'), () => Promise.reject(new Error('the node is gone'))).catch(() => 'failed'),
  );
  expect(new Set(await Promise.all(failing))).toEqual(new Set(['failed']));
  const answers = ask(1, of('ann'));
  await endAll();
  expect(counts(await Promise.all(answers))).toMatchObject({ simulated: 1 });
});
