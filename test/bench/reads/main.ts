import { parseArgs } from 'node:util';
import { managementPrefix } from '../../../contract/operation.ts';
import { startPostgres } from '../../../tools/start-postgres.ts';
import { startBenchProcess } from '../bench-process.ts';
import { nextNonceKey, requestKinds, requestOf } from '../request-kinds.ts';
import type { ReadsTarget, Tenant } from './reads-service.ts';

/**
 * `npm run bench:reads`: what one tenant who reads as much as it may costs another one. Next to each way to read, the other tenant asks
 * for sponsorships and for the statement of its tank, one after the other. `--on sqlite` or `--on postgres` alone, `--seconds` for
 * each way, `--way policy` for some of them.
 */
const { values: flags } = parseArgs({
  options: {
    on: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '10' },
    way: { type: 'string', multiple: true },
  },
});
const seconds = Number(flags.seconds);

type Way = { readonly name: string; readonly connections: number; ask(target: ReadsTarget): Promise<unknown> };

const policy = { sponsorAllCalls: true };
const ways: readonly Way[] = [
  { name: 'nothing', connections: 0, ask: async () => {} },
  get('policy', 200, () => 'policy'),
  get('decisions by status', 100, () => 'decision?status=expired'),
  get('decisions of a transaction', 50, ({ txHash }) => `decision?txHash=${txHash}`),
  {
    name: 'policy preview',
    connections: 50,
    ask: ({ greedy }) => send(greedy, 'policy/preview?last=1000', { method: 'POST', body: JSON.stringify(policy) }),
  },
  get('usage by method', 60, () => 'usage?by=method'),
  get('usage by sender', 60, () => 'usage?by=sender'),
];

function get(name: string, connections: number, pathOf: (target: ReadsTarget) => string): Way {
  return { name, connections, ask: (target) => send(target.greedy, pathOf(target)) };
}

async function send({ url, authToken, apiKey }: Tenant, path: string, init: RequestInit = {}): Promise<number> {
  const headers = { authtoken: authToken, apikey: apiKey, 'content-type': 'application/json' };
  const answer = await fetch(`${url}${managementPrefix}/${path}`, { headers, ...init });
  await answer.arrayBuffer();
  return answer.status;
}

for (const on of flags.on ?? ['sqlite', 'postgres']) {
  const server = on === 'postgres' ? await startPostgres() : undefined;
  const service = await startBenchProcess<ReadsTarget>(
    'reads/reads-service.ts',
    server === undefined ? [] : [server.url],
  );
  print(`${on}: times of the other tenant and longest turn of the event loop, in ms`);
  print(columns(['next to', 'reads', 'refused', 'sponsorship p50', 'p99', 'statement p50', 'p99', 'turn']));
  // Until all is compiled.
  for (let count = 0; count < 100; count += 1) await sponsor(service.target);
  for (const way of ways.filter(({ name }) => flags.way?.includes(name) ?? true))
    print(columns(await measure(service, way)));
  await service.stop();
  await server?.stop();
}

async function measure(
  { target, ask }: Awaited<ReturnType<typeof startBenchProcess<ReadsTarget>>>,
  way: Way,
): Promise<readonly string[]> {
  await ask('turn');
  const end = performance.now() + seconds * 1_000;
  const statuses: number[] = [];
  const isOver = () => performance.now() >= end;
  const reading = Array.from({ length: way.connections }, async () => {
    while (!isOver()) {
      const status = Number(await way.ask(target));
      statuses.push(status);
      // As a client does that is told to come later.
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  const sponsorships = await timesUntil(isOver, () => sponsor(target));
  await Promise.all(reading);
  const longest = Number(await ask('turn'));
  // What was asked for last may still be under way, and is measured with the statements.
  const restart = performance.now() + seconds * 500;
  const isAgain = () => performance.now() >= restart;
  const again = Array.from({ length: way.connections }, async () => {
    while (!isAgain()) if ((await way.ask(target)) !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
  });
  const statements = await timesUntil(isAgain, () => send(target.modest, 'gas-tank/statement'));
  await Promise.all(again);
  const refused = statuses.filter((status) => status !== 200).length;
  return [
    ...[way.name, String(statuses.length - refused), String(refused)],
    ...[sponsorships, statements].flatMap((times) => [at(times, 0.5), at(times, 0.99)]),
    longest.toFixed(0),
  ];
}

async function timesUntil(isOver: () => boolean, ask: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  do {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
  } while (!isOver());
  return times.sort((first, second) => first - second);
}

/** Until it is signed: a service too busy to hear from its chain's node refuses meanwhile. */
async function sponsor(target: ReadsTarget): Promise<void> {
  for (;;) {
    const request = requestOf(requestKinds.SPONSORED.bodies[0], target, nextNonceKey());
    const answer = await fetch(target.rpcUrl, { method: 'POST', ...request });
    if ((await answer.text()).includes('"result"')) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function at(sorted: readonly number[], part: number): string {
  return (sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0).toFixed(0);
}

function columns([name = '', ...rest]: readonly string[]): string {
  return name.padEnd(28) + rest.map((text) => text.padStart(16)).join('');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
