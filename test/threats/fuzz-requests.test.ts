import { Agent, request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { connectCore } from '../../core/grpc/client.ts';
import { accepted } from '../../server/accepted.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { registerPaymaster } from '../../server/dev/register-paymaster.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { type NodeAddresses, type NodeProcess, prepareNodeProcess } from '../support/command-line/node-process.ts';
import { repeatsOfRun } from '../support/run/rows-of-run.ts';
import { anyRequest, type MadeUpRequest } from './made-up-requests.ts';

/** How many requests are made up; CONTRIBUTING says how to ask for more. */
const requests = Math.min(Number(process.env.FUZZ_REQUESTS ?? repeatsOfRun(100, 300)), 1_000_000);
/** Requests under way at a time. */
const atOnce = 5;
const perRound = 5_000;
/** Caches fill and the compiler warms up in so many rounds; of a shorter run the memory says nothing. */
const warmUpRounds = 4;
/** How much memory the process may have at the end, as a multiple of what it had after the warm-up. */
const maxGrowth = 1.5;

let service: NodeProcess;
let node: NodeAddresses;
let headers: Readonly<Record<string, string>>;
let madeUp: fc.Arbitrary<MadeUpRequest>;
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

beforeAll(async () => {
  service = await prepareNodeProcess(1);
  node = await service.start();
  const { core, close } = connectCore({ address: node.grpc });
  const { accountId } = accepted(await core.createAccount({ name: 'fuzz' }));
  const { authToken } = accepted(await core.createAuthToken({ accountId, name: 'test' }));
  close();
  const { devnet } = service;
  const management = createManagementClient({ baseUrl: node.url, authToken });
  const { apiKey } = await registerPaymaster({ devnet, management, gatewayUrl: node.url }, '0.7', deriveDevKey(1));
  await devnet.client.mine({ blocks: 1 });
  headers = { authToken, apiKey };
  const operation = await nextOperation(devnet, newSmartAccount('0.7'), [targetCall(devnet, 'increment')]);
  const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
  const sponsorshipInfo = { webhookData: { order: 1 }, smartAccountInfo };
  const context = { mode: 'SPONSORED', calculateGasLimits: true, expiryDuration: 300, sponsorshipInfo };
  madeUp = anyRequest(`/api/v1/${devnet.chainId}/${apiKey}`, [toRpcUserOperation(operation), context]);
}, 60_000);
afterAll(async () => {
  agent.destroy();
  await service.close();
});

function statusOf({ method, path, body }: MadeUpRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = { method, agent, headers: { ...headers, ...length } };
    const sent = httpRequest(`${node.url}${path}`, options, (answer) =>
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
    );
    sent.on('error', reject).end(body);
  });
}

test(
  `${requests} made-up requests to a running node: no fault, and it is still there with no more memory`,
  async () => {
    const memory: number[] = [];
    for (let done = 0; done < requests; done += perRound) {
      // Nothing is signed on a chain that stands still, and no one else sends anything here.
      await service.devnet.client.mine({ blocks: 1 });
      const several = fc.array(madeUp, { minLength: atOnce, maxLength: atOnce });
      await fc.assert(
        fc.asyncProperty(several, async (batch) => {
          for (const status of await Promise.all(batch.map(statusOf))) {
            expect(status).toBeGreaterThanOrEqual(200);
            expect(status).toBeLessThan(500);
          }
        }),
        { numRuns: Math.ceil(Math.min(perRound, requests - done) / atOnce) },
      );
      expect(service.takeLog().filter((line) => line.includes('"level":"error"'))).toEqual([]);
      memory.push(service.residentKib());
    }
    expect((await fetch(`${node.adminUrl}/livez`)).status).toBe(200);
    expect((await fetch(`${node.adminUrl}/readyz`)).status).toBe(200);
    if (process.env.FUZZ_REQUESTS !== undefined) console.info(`Memory after each round, in KiB: ${memory.join(' ')}`);
    const [first, last] = [memory[warmUpRounds - 1], memory.at(-1)];
    if (first !== undefined && last !== undefined) expect(last / first).toBeLessThan(maxGrowth);
  },
  60_000 + requests * 20,
);
