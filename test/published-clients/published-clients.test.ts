import { afterAll, beforeAll } from 'vitest';
import { type ClientLab, openClientLab } from '../support/published-clients/client-lab.ts';
import { describeAbstractjs } from './abstractjs.suite.ts';
import { describeAppClients } from './app-clients.suite.ts';
import { describeBiconomyAccount } from './biconomy-account.suite.ts';
import { describeBiconomyPaymasters } from './biconomy-paymaster.suite.ts';
import { describeBiconomyRefusals } from './biconomy-refusals.suite.ts';
import { describePlainClients } from './plain-clients.suite.ts';
import { describeViemAttribution } from './viem-attribution.suite.ts';

let running: ClientLab | undefined;
beforeAll(async () => {
  running = await openClientLab();
});
afterAll(async () => {
  await running?.close();
});

function lab(): ClientLab {
  if (running === undefined) throw new Error('The lab is used before it was opened.');
  return running;
}

describePlainClients(lab);
describeBiconomyPaymasters(lab);
describeBiconomyRefusals(lab);
describeBiconomyAccount(lab);
describeAbstractjs(lab);
describeAppClients(lab);
describeViemAttribution(lab);
