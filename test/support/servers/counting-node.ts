import { setImmediate as nextTurn } from 'node:timers/promises';
import { getAbiItem, toFunctionSelector } from 'viem';
import { callbackProbeAbi } from '../../../core/gas/simulation/callback-probe.generated.ts';
import { forward, type RpcRequest, type RpcServer, respond, startRpcServer } from './json-rpc-server.ts';

/** What was asked of a node for one thing: how many questions, and how many times one had to wait for another. */
export type Asked = { readonly calls: number; readonly trips: number };

export type CountingNode = RpcServer & {
  /** What is asked until the work is done. */
  count(work: () => Promise<unknown>): Promise<Asked>;
};

/** Answers of a node that decisions ask for; the rest is the watcher's, which asks by itself. */
const decisive: readonly string[] = ['eth_call', 'eth_getCode', 'eth_getStorageAt'];

/** In so many turns of this process's event loop a question arrives that was sent with another one. */
const turnsOnTheWay = 50;

/**
 * A real node seen from a distance: every answer takes so long, and on a busy machine as long as questions come. A question belongs to a round trip behind all those that were
 * answered when it came.
 */
export async function startCountingNode(nodeUrl: string, distanceMs: number): Promise<CountingNode> {
  let calls = 0;
  let answeredTrip = 0;
  let trips = 0;

  function begin(request: RpcRequest): number | undefined {
    if (!decisive.includes(request.method) || isInBackground(request)) return undefined;
    calls += 1;
    trips = Math.max(trips, answeredTrip + 1);
    return answeredTrip + 1;
  }

  /** Whatever was asked at the same time is there. */
  async function settled(): Promise<void> {
    for (let turns = 0, known = calls; turns < turnsOnTheWay; turns += 1) {
      await nextTurn();
      if (calls !== known) [turns, known] = [0, calls];
    }
  }

  const server = await startRpcServer(async (request, response) => {
    const trip = begin(request);
    const [answer] = await Promise.all([
      forward(nodeUrl, request),
      new Promise((resolve) => setTimeout(resolve, distanceMs)),
    ]);
    if (trip !== undefined) {
      await settled();
      answeredTrip = Math.max(answeredTrip, trip);
    }
    respond(response, answer);
  });
  return {
    ...server,
    async count(work) {
      [calls, answeredTrip, trips] = [0, 0, 0];
      await work();
      return { calls, trips };
    },
  };
}

/** What no decision waits for: `balanceOf(address)` of paymasters' deposits, and whether a method runs code of the caller. */
const backgroundSelectors = [
  '0x70a08231',
  toFunctionSelector(getAbiItem({ abi: callbackProbeAbi, name: 'watch' })),
] as const;

function isInBackground({ method, params: [call] }: RpcRequest): boolean {
  if (method !== 'eth_call' || typeof call !== 'object' || call === null || !('data' in call)) return false;
  const data = String(call.data);
  return backgroundSelectors.some((selector) => data.startsWith(selector));
}
