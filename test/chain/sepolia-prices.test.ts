import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { type Flow, type FlowMode, runFlows } from '../support/accounts/account-flows.ts';
import { matrixAccounts } from '../support/accounts/matrix-accounts.ts';
import { openFlowLab } from '../support/accounts/open-flow-lab.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import type { ClientLab } from '../support/service/client-lab.ts';

let devnet: Devnet;
let lab: ClientLab;
beforeAll(async () => {
  devnet = await startDevnet({ port: 0, fork: 'amsterdam', paymasterSigner: privateKeyToAddress(leasedSignerKey) });
  lab = await openFlowLab(devnet);
});
afterAll(async () => {
  await lab.close();
  await devnet.close();
});

/** Ten operations, among them what costs more with these prices: all of new state. All accounts: `npm run test:accounts -- --fork amsterdam`. */
const rows: readonly (readonly [version: string, mode: FlowMode, flows: readonly Flow[]])[] = [
  ['0.6', 'token', ['creation']],
  ['0.7', 'given', ['creation', 'new nonce key']],
  ['0.7', 'token', ['creation']],
  ['0.8', 'estimated', ['creation', 'new recipient']],
  ['0.8', 'token', ['empty token recipient']],
  ['0.9', 'given', ['creation']],
  ['0.9', 'token', ['creation', 'empty token recipient']],
];

describe('with the prices of Sepolia', () => {
  test.each(rows)(
    'operations of a SimpleAccount on EntryPoint %s land with limits %s: %j',
    async (version, mode, flows) => {
      const row = matrixAccounts.find((account) => account.kind === 'SimpleAccount' && account.version === version);
      if (row === undefined) throw new Error(`There is no SimpleAccount on EntryPoint ${version}.`);
      const outcomes = await runFlows(lab, row, mode, flows);
      expect(outcomes).toEqual(flows.map((flow) => ({ flow, gas: expect.any(BigInt) })));
    },
  );
});
