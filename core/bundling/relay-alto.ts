import { errors } from 'undici';
import type { Clock } from '../base/time/clock.ts';
import type { HandedOver, RelayBundler } from '../node/relay/watched-relay.ts';
import { createEndpoint } from '../node/rpc/create-endpoint.ts';
import { readRpcAnswer } from '../node/rpc/rpc-answer.ts';

/** Longest wait for its answer, in milliseconds: it simulates the operation first. */
const maxWaitMs = 10_000;
/** The same for a question about an operation, which it answers from memory. */
const maxStatusWaitMs = 3_000;
/** How long a bundler that did not answer counts as unreachable, in milliseconds. */
const restMs = 5_000;
/** Most characters of its message that are passed on. */
const maxMessage = 300;

/** Whether alto's error with this code is about the operation (ERC-7769), and not about alto itself. */
const isAboutOperation = (code: number) => code === -32602 || (code <= -32500 && code >= -32521);

/**
 * What alto's `pimlico_getUserOperationStatus` says of an operation that it has, and of one that it does not have (any more). It
 * remembers for an hour.
 */
const hasIt: ReadonlySet<unknown> = new Set(['not_submitted', 'submitted', 'included', 'reverted']);
const lacksIt: ReadonlySet<unknown> = new Set(['not_found', 'rejected', 'failed']);

/**
 * Pimlico's alto: `boost_sendUserOperation` accepts an operation with fees of 0 and no paymaster. Its executors send the
 * bundle and are its beneficiaries. A second operation with the same sender and nonce replaces the first.
 */
export function createAltoRelay({ url, clock }: { readonly url: string; readonly clock: Clock }): RelayBundler {
  const endpoint = createEndpoint(url, maxWaitMs);
  const statusEndpoint = createEndpoint(url, maxStatusWaitMs);
  let failedAt: number | undefined;

  async function has(userOperationHash: string): Promise<boolean | undefined> {
    const question = { method: 'pimlico_getUserOperationStatus', params: [userOperationHash] };
    const answer = await statusEndpoint.ask(question).catch(() => undefined);
    const status = typeof answer === 'object' && answer !== null && 'status' in answer ? answer.status : undefined;
    if (hasIt.has(status)) return true;
    return lacksIt.has(status) ? false : undefined;
  }

  /**
   * An error may also mean that alto has the operation already. Its message does not decide which: it quotes what the account
   * says when it reverts.
   */
  async function judge(error: unknown, userOperationHash: string): Promise<HandedOver> {
    const said = readRpcAnswer(error);
    if (said?.code === undefined) {
      failedAt = clock.now();
      return { kind: wasNotSent(error) ? 'away' : 'unknown', cause: error };
    }
    failedAt = undefined;
    const isKnown = await has(userOperationHash);
    if (isKnown === undefined) return { kind: 'unknown', cause: error };
    if (isKnown) return { kind: 'taken' };
    if (!isAboutOperation(said.code)) return { kind: 'away', cause: error };
    return { kind: 'refused', code: said.code, message: said.details.slice(0, maxMessage) };
  }

  return {
    has,
    handOver: async ({ operationJson, entryPoint, userOperationHash }) => {
      try {
        const params = [JSON.parse(operationJson) as unknown, entryPoint];
        const hash = await endpoint.ask({ method: 'boost_sendUserOperation', params });
        failedAt = undefined;
        // With another hash it has another operation: whether that one lands is unknown to us.
        if (typeof hash === 'string' && hash.toLowerCase() === userOperationHash) return { kind: 'taken' };
        return { kind: 'unknown', cause: new Error('The bundler named another hash than that of the operation.') };
      } catch (error) {
        return judge(error, userOperationHash);
      }
    },
    fault: () => {
      const isAway = failedAt !== undefined && Math.abs(clock.now() - failedAt) < restMs;
      return isAway ? 'the bundler does not respond' : undefined;
    },
  };
}

/** Error codes of connections that were never established. */
const neverConnected: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Whether the question certainly did not arrive: no connection was established, and no kept connection was closed. */
function wasNotSent(error: unknown): boolean {
  let isUnconnected = false;
  for (let each = error, depth = 0; each instanceof Error && depth < 10; each = each.cause, depth += 1) {
    if (each instanceof errors.SocketError) return false;
    isUnconnected ||= neverConnected.has((each as NodeJS.ErrnoException).code);
  }
  return isUnconnected;
}
