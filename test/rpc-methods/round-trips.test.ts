import { afterAll, beforeAll, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import type { Asked } from '../support/servers/counting-node.ts';
import {
  type DecisionName,
  decisionNames,
  decisions,
  type FarLab,
  newOperation,
  openFarLab,
  readyAccount,
  viemPreparations,
} from '../support/service/far-lab.ts';

/** So far away is the node. */
const distanceMs = 15;

let lab: FarLab;
beforeAll(async () => {
  lab = await openFarLab(distanceMs);
}, 60_000);
afterAll(() => lab.close());

/** What is asked of the node: of the operation, and of what its account keeps. */
const usual: Asked = { calls: 2, trips: 1 };
const expected: Readonly<Record<DecisionName, Asked>> = {
  'sponsored, estimated': usual,
  'sponsored, limits given': usual,
  'pm_getPaymasterData, estimated': usual,
  'pm_getPaymasterData, limits given': usual,
  'pm_sponsorUserOperation of Pimlico': usual,
  // The slots of its account, and its code.
  pm_getPaymasterStubData: usual,
  'a quote in tokens, estimated': { calls: 1, trips: 1 },
  'paid in tokens, limits given': usual,
  // What the payment needs can only be tried once the limits are known.
  'paid in tokens, estimated': { calls: 2, trips: 2 },
};

test.each(rowsOfRun(entryPointVersions.toReversed(), 1))(
  'a decision about a new operation waits for the node once, with EntryPoint %s',
  async (version) => {
    const account = await readyAccount(lab, version);
    const asks = decisions(lab, version);
    for (const name of decisionNames) {
      const count = async () => {
        const operation = await newOperation(lab, account);
        return lab.node.count(async () => {
          expect((await asks[name](operation)).reason, name).toBeUndefined();
        });
      };
      // The first one also asks for code that is remembered: of the EntryPoint, of what runs for the account.
      await count();
      expect(await count(), name).toStrictEqual(expected[name]);
    }
  },
);

/** Stub and signature wait once each. EntryPoint 0.6 has no limits of the paymaster, which the stub of a token measures. */
const mostAsked: Asked = { calls: 5, trips: 2 };

test.each(rowsOfRun(entryPointVersions.toReversed(), 1))(
  'viem’s whole preparation waits for the node at most twice, sponsored and in a token, with EntryPoint %s',
  async (version) => {
    for (const [payment, prepare] of Object.entries(await viemPreparations(lab, version))) {
      // The first one also asks for code that is remembered.
      await prepare();
      const asked = await lab.node.count(prepare);
      expect(asked.trips, payment).toBeLessThanOrEqual(mostAsked.trips);
      expect(asked.calls, payment).toBeLessThanOrEqual(mostAsked.calls);
    }
  },
);
