import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createManagementClient } from '../../../clients/sdk/create-management-client.ts';
import { managementPrefix } from '../../../contract/operation.ts';
import type { PolicyRequest } from '../../../contract/policy.ts';
import { usageDimensions } from '../../../core/domain/usage.ts';
import type { BenchTarget } from '../bench-target.ts';
import { nextNonceKey, requestKinds, requestOf } from '../request-kinds.ts';
import type { LedgerTarget } from './ledger-service.ts';

/**
 * `npm run bench:ledger`: how long each read of large ledger takes, and the longest silence of signing meanwhile, next to a
 * loop of requests. Arguments: landed operations (1,000,000), open holds of one sender (50,000).
 */
const child = fork(new URL('./ledger-service.ts', import.meta.url), process.argv.slice(2));
const [target] = (await once(child, 'message')) as [LedgerTarget];
const { url, adminUrl, authToken, apiKey } = target;
const management = createManagementClient({ baseUrl: url, authToken, apiKey });
const out = (text: string) => process.stdout.write(`${text}\n`);
out(`opened in ${(target.openedMs / 1_000).toFixed(1)} s`);
out('read                                   takes ms  longest silence ms  signed');

await row('nothing, for 5 s', () => new Promise((resolve) => setTimeout(resolve, 5_000)));
await row('/metrics', async () => {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  if (!/^tollfree_ledger_difference_wei\{.*\} 0$/m.test(text)) out('  no sample of the difference');
});
await row('/gas-tank', () => management.readGasTank());
await row('/gas-tank entries', () => management.listGasTankEntries());
await row('/gas-tank days', () => management.listGasTankDays());
await row('/gas-tank statement', () => management.readGasTankStatement());
for (const by of usageDimensions) await row(`/usage by ${by}`, () => read(`usage?by=${by}`));
await row('decisions', () => management.listDecisions());
await row('decisions of no sender', () => read('decision?sender=0x00000000000000000000000000000000000000aa'));
await row('ledger check', async () => {
  child.send('check');
  const [faults] = (await once(child, 'message')) as [readonly string[]];
  for (const fault of faults) out(`  ${fault}`);
});
await limitRow('SENDER', 'EVER', 'OPERATIONS');
await limitRow('TOTAL', 'EVER', 'OPERATIONS');
await limitRow('TOTAL', 'MONTH', 'WEI');
await limitRow('TOTAL', 'EVER', 'USD');
await management.setPolicy({ policy: {} });
await row('sender with open holds, for 5 s', () => new Promise((resolve) => setTimeout(resolve, 5_000)), {
  ...target,
  senders: [target.openSender],
});
child.disconnect();
await once(child, 'exit');

async function read(path: string): Promise<void> {
  const answer = await fetch(`${url}${managementPrefix}/${path}`, {
    headers: { authtoken: authToken, apikey: apiKey },
  });
  const text = await answer.text();
  if (!answer.ok) out(`  ${answer.status} ${text.slice(0, 200)}`);
}

type Limit = NonNullable<PolicyRequest['limits']>[number];

/** From setting a limit to the first request that is signed under it. */
async function limitRow(per: Limit['per'], window: Limit['window'], unit: Limit['unit']): Promise<void> {
  const limits = [{ per, window, unit, max: unit === 'WEI' ? '1000000000000000000000' : '1000000000' }];
  await row(`limit ${per} ${window} ${unit}`, () => management.setPolicy({ policy: { limits } }));
}

async function row(name: string, work: () => Promise<unknown>, from = target): Promise<void> {
  const signing = keepSigning(from);
  await signing.next();
  signing.reset();
  const start = performance.now();
  await work();
  await signing.next();
  const took = performance.now() - start;
  const { longest, signed, refused } = await signing.stop();
  const columns = [took, longest].map((ms) => ms.toFixed(0).padStart(16)).join('');
  out(`${name.padEnd(32)}${columns}${String(signed).padStart(12)}${refused === 0 ? '' : `, ${refused} refused`}`);
}

/** What became of the requests since `reset`: the longest time without a signature, in milliseconds. */
type Signing = { readonly longest: number; readonly signed: number; readonly refused: number };

/** Asks for one signature after the other. `next` waits for one that was asked for after the call. */
function keepSigning(target: BenchTarget): {
  next(): Promise<void>;
  reset(): void;
  stop(): Promise<Signing>;
} {
  let stopped = false;
  let [longest, signed, refused] = [0, 0, 0];
  let last = performance.now();
  let waiting: (() => void)[] = [];

  async function ask(): Promise<void> {
    const served = waiting;
    waiting = [];
    const answer = await fetch(target.rpcUrl, {
      method: 'POST',
      ...requestOf(requestKinds.SPONSORED.bodies[0], target, nextNonceKey()),
    });
    if (!('result' in ((await answer.json()) as object))) {
      refused += 1;
      waiting = [...served, ...waiting];
      return;
    }
    signed += 1;
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    for (const resolve of served) resolve();
  }

  const loop = (async () => {
    while (!stopped) await ask();
  })();
  return {
    next: () => new Promise((resolve) => waiting.push(resolve)),
    reset: () => {
      [longest, signed, refused] = [0, 0, 0];
      last = performance.now();
    },
    stop: async () => {
      stopped = true;
      await loop;
      return { longest, signed, refused };
    },
  };
}
