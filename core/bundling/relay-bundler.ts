import { errors } from 'undici';
import { type Address, type Hex, numberToHex } from 'viem';
import type { Clock } from '../base/time/clock.ts';
import type { RelayKind } from '../domain/chain-config.ts';
import type { HandedOver, RelayBundler, RelayTerms } from '../node/relay/watched-relay.ts';
import { createEndpoint, type RpcQuestion } from '../node/rpc/create-endpoint.ts';
import { readRpcAnswer } from '../node/rpc/rpc-answer.ts';

/** Longest wait for its answer, in milliseconds: it simulates the operation first. */
const maxWaitMs = 10_000;
/** Longest wait for an answer about an operation by its hash, in milliseconds. */
const maxStatusWaitMs = 3_000;
/** How long a bundler that did not answer counts as unreachable, in milliseconds. */
const restMs = 5_000;
/** Most characters of its message that are passed on. */
const maxMessage = 300;

/** Whether an error with this code is about the operation (ERC-7769), and not about the bundler itself. */
const isAboutOperation = (code: number) => code === invalidParams || (code <= -32500 && code >= -32521);
const invalidParams = -32602;

/** How a bundler takes operations without fees, and how it is asked whether it has one. */
type RelayDialect = {
  send(operation: unknown, entryPoint: Address, terms: RelayTerms): RpcQuestion;
  ask(userOperationHash: string): RpcQuestion;
  /** Whether it has the operation, by its answer. Undefined if the answer does not tell. */
  readHas(answer: unknown): boolean | undefined;
  /** Whether an error with this code proves that it does not have the operation, where `readHas` does not tell. */
  lacksAfter(code: number): boolean;
  readonly preVerificationGas: RelayBundler['preVerificationGas'];
};

const isObject = (answer: unknown): answer is object => typeof answer === 'object' && answer !== null;

/**
 * What alto's `pimlico_getUserOperationStatus` says of an operation that it has, and of one that it does not have (any more). It
 * remembers for an hour.
 */
const hasIt: ReadonlySet<unknown> = new Set(['not_submitted', 'submitted', 'included', 'reverted']);
const lacksIt: ReadonlySet<unknown> = new Set(['not_found', 'rejected', 'failed']);

const askByHash = (hash: string): RpcQuestion => ({ method: 'eth_getUserOperationByHash', params: [hash] });

const dialects: Readonly<Record<RelayKind, RelayDialect>> = {
  // Pimlico's alto: `boost_sendUserOperation` accepts an operation with fees of 0 and no paymaster.
  ALTO: {
    send: (operation, entryPoint) => ({ method: 'boost_sendUserOperation', params: [operation, entryPoint] }),
    ask: (hash) => ({ method: 'pimlico_getUserOperationStatus', params: [hash] }),
    readHas: (answer) => {
      const status = isObject(answer) && 'status' in answer ? answer.status : undefined;
      if (hasIt.has(status)) return true;
      return lacksIt.has(status) ? false : undefined;
    },
    lacksAfter: () => false,
    preVerificationGas: 'counted',
  },
  // Alchemy's rundler pays for an operation without fees if the request says how much at most, and until when.
  RUNDLER: {
    send: (operation, entryPoint, { maxCost, validUntil }) => ({
      method: 'eth_sendUserOperation',
      params: [
        operation,
        entryPoint,
        { bundlerSponsorship: { maxCost: numberToHex(maxCost), validUntil: numberToHex(validUntil) } },
      ],
    }),
    ask: askByHash,
    // It knows what waits and what has landed.
    readHas: (answer) => (answer === null ? false : isObject(answer) || undefined),
    lacksAfter: () => false,
    preVerificationGas: 'none',
  },
  // ZeroDev's ultra-relay takes an operation with fees of 0 as alto does, under the usual name.
  ULTRA_RELAY: {
    send: (operation, entryPoint) => ({ method: 'eth_sendUserOperation', params: [operation, entryPoint] }),
    ask: askByHash,
    // It knows by its hash only what has landed.
    readHas: (answer) => isObject(answer) || undefined,
    // An operation that it has already is refused with invalid params, one that fails in its simulation is not.
    lacksAfter: (code) => code !== invalidParams && isAboutOperation(code),
    preVerificationGas: 'counted',
  },
};

/**
 * A bundler whose executors send operations without fees and are the beneficiaries of their bundles. A second operation with the
 * same sender and nonce replaces the first.
 */
export function createRelayBundler(options: {
  readonly kind: RelayKind;
  readonly url: string;
  readonly clock: Clock;
}): RelayBundler {
  const { kind, url, clock } = options;
  const dialect = dialects[kind];
  const endpoint = createEndpoint(url, maxWaitMs);
  const statusEndpoint = createEndpoint(url, maxStatusWaitMs);
  let failedAt: number | undefined;

  async function has(userOperationHash: string): Promise<boolean | undefined> {
    return dialect.readHas(await statusEndpoint.ask(dialect.ask(userOperationHash)).catch(() => undefined));
  }

  /**
   * An error may also mean that the bundler has the operation already. Its message does not decide which: it quotes what the
   * account says when it reverts.
   */
  async function judge(error: unknown, userOperationHash: string): Promise<HandedOver> {
    const said = readRpcAnswer(error);
    if (said?.code === undefined) {
      failedAt = clock.now();
      return { kind: wasNotSent(error) ? 'away' : 'unknown', cause: error };
    }
    failedAt = undefined;
    const isKnown = await has(userOperationHash);
    if (isKnown === true) return { kind: 'taken' };
    if (isKnown === undefined && !dialect.lacksAfter(said.code)) return { kind: 'unknown', cause: error };
    if (!isAboutOperation(said.code)) return { kind: 'away', cause: error };
    return { kind: 'refused', code: said.code, message: said.details.slice(0, maxMessage) };
  }

  return {
    has,
    preVerificationGas: dialect.preVerificationGas,
    handOver: async ({ operationJson, entryPoint, userOperationHash, terms }) => {
      try {
        const operation = JSON.parse(operationJson) as unknown;
        const hash = await endpoint.ask(dialect.send(operation, entryPoint, terms));
        failedAt = undefined;
        // With another hash it has another operation: whether that one lands is unknown to us.
        if (isSameHash(hash, userOperationHash)) return { kind: 'taken' };
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

function isSameHash(answer: unknown, hash: string): answer is Hex {
  return typeof answer === 'string' && answer.toLowerCase() === hash;
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
