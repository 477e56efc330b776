import type { Clock } from '../base/time/clock.ts';
import type { HandedOver, RelayBundler } from '../node/relay/relay-bundler.ts';
import { createEndpoint } from '../node/rpc/create-endpoint.ts';
import { readRpcAnswer } from '../node/rpc/rpc-answer.ts';
import { wasNotSent } from '../node/rpc/was-not-sent.ts';

/** Longest wait for its answer, in milliseconds: it simulates the operation first. */
const maxWaitMs = 10_000;
/** How long a bundler that did not answer counts as away, in milliseconds. */
const restMs = 5_000;
/** Most of its words that are passed on. */
const maxMessage = 300;

/** Whether alto speaks about the operation with this code (ERC-7769), and not about itself. */
const isAboutOperation = (code: number) => code === -32602 || (code <= -32500 && code >= -32521);

/** What alto 0.0.20 says of an operation that it has: waiting, or in a bundle that is under way. */
const hasItAlready = /already known|already present in mempool|already being processed/i;

/**
 * Pimlico's alto: `boost_sendUserOperation` takes an operation whose fees are 0 and that names no paymaster. Its executors send the bundle
 * and are its beneficiaries. A second operation with the same sender and nonce replaces the first.
 */
export function createAltoRelay({ url, clock }: { readonly url: string; readonly clock: Clock }): RelayBundler {
  const endpoint = createEndpoint(url, maxWaitMs);
  let failedAt: number | undefined;

  function judge(error: unknown): HandedOver {
    const said = readRpcAnswer(error);
    if (said?.code === undefined) {
      failedAt = clock.now();
      return { kind: wasNotSent(error) ? 'away' : 'unknown', cause: error };
    }
    failedAt = undefined;
    if (!isAboutOperation(said.code)) return { kind: 'unknown', cause: error };
    if (hasItAlready.test(said.details)) return { kind: 'taken' };
    return { kind: 'refused', code: said.code, message: said.details.slice(0, maxMessage) };
  }

  return {
    handOver: async ({ operationJson, entryPoint, userOperationHash }) => {
      try {
        const params = [JSON.parse(operationJson) as unknown, entryPoint];
        const hash = await endpoint.ask({ method: 'boost_sendUserOperation', params });
        failedAt = undefined;
        // Under another hash it has another operation: whether that lands is not ours to know.
        if (typeof hash === 'string' && hash.toLowerCase() === userOperationHash) return { kind: 'taken' };
        return { kind: 'unknown', cause: new Error('The bundler named another hash than that of the operation.') };
      } catch (error) {
        return judge(error);
      }
    },
    fault: () => {
      const isAway = failedAt !== undefined && Math.abs(clock.now() - failedAt) < restMs;
      return isAway ? 'the bundler does not respond' : undefined;
    },
  };
}
