import { BaseError, HttpRequestError, TimeoutError } from 'viem';
import type { Refusal } from '../domain/result/refusal.ts';
import { exceedsLimit, limitExceededCode, readRpcAnswer } from './rpc/rpc-answer.ts';

/** JSON-RPC codes: unknown method, invalid params. Nodes without state overrides return one of them. */
const refusesParameters = new Set([-32601, -32602]);
const ranOutOfGas =
  /out of gas|gas required exceeds|intrinsic gas|gas too (low|high)|gas limit|execution (reverted|aborted|timeout)/i;
/** The last pattern: simulations pay from a balance that the state overrides give their sender. */
const knowsNoOverride =
  /override|too many arguments|expected (at most )?2|too many param|insufficient (funds|balance)/i;

export const overridesUnsupported: Refusal = {
  reason: 'CHAIN_UNAVAILABLE',
  message: 'The node does not support eth_call with state overrides, which gas estimation needs. Use another node.',
};

export const nodeGasExceeded: Refusal = {
  reason: 'ESTIMATION_FAILED',
  message: 'The operation needs more gas than the node simulates in one call.',
  field: 'callData',
};

const nodeLimitExceeded: Refusal = {
  reason: 'CHAIN_UNAVAILABLE',
  message: 'The chain could not be read because of the rate limit of its node (429). Try again shortly.',
};

/** Explains a failed call to a node. Never quotes the node or the library, whose text may contain its URL. */
export function explainNodeError(error: unknown): Refusal {
  if (exceedsLimit(error)) return nodeLimitExceeded;
  const answer = readRpcAnswer(error);
  if (answer?.code !== undefined) {
    if (refusesParameters.has(answer.code) || knowsNoOverride.test(answer.details)) return overridesUnsupported;
    if (ranOutOfGas.test(answer.details)) return nodeGasExceeded;
  }
  return {
    reason: 'CHAIN_UNAVAILABLE',
    message: 'The chain could not be read. The node is down, slow or refuses to answer.',
  };
}

/** The node answered, but not the question. */
export const senselessAnswer: Refusal = {
  reason: 'CHAIN_UNAVAILABLE',
  message: 'The node returned an invalid response.',
};

/** How nodes say that a log query is too wide or has too many results (geth, erigon, nethermind, providers). */
const tooWide =
  /range|limit|too (many|large|wide|big)|exceed|more than|response size|query returned|timed? ?out|timeout|try with/i;

/** Whether a query for fewer blocks may succeed where this one did not. */
export function isRangeError(cause: unknown): boolean {
  if (!(cause instanceof BaseError)) return false;
  if (cause.walk((inner) => inner instanceof TimeoutError) !== null) return true;
  const answered = cause.walk((inner) => readRpcAnswer(inner) !== undefined || inner instanceof HttpRequestError);
  if (!(answered instanceof BaseError) || readRpcAnswer(answered)?.code === limitExceededCode) return false;
  return tooWide.test(answered.details);
}

/**
 * How nodes say that they no longer have the state of an old block (geth, erigon, nethermind, reth, providers, a resumed
 * anvil).
 */
const stateIsGone =
  /missing trie node|state .*(not|un)[- ]?available|state .*(pruned|missing)|historical state|archive|BlockOutOfRange/i;

/**
 * The answer to a question about an old block; undefined if the node no longer has its state, which a retry cannot change.
 * Rejects when the node does not answer.
 */
export async function ifStateIsThere<T>(question: Promise<T>): Promise<T | undefined> {
  try {
    return await question;
  } catch (cause) {
    const answered = cause instanceof BaseError ? cause.walk((inner) => readRpcAnswer(inner) !== undefined) : cause;
    if (stateIsGone.test(readRpcAnswer(answered)?.details ?? '')) return undefined;
    throw cause;
  }
}

/** Why a node did not answer, and what its operator can do, as sentences without its URL, which may contain a key. */
type NodeFailure = { readonly text: string; readonly remedy: string };

/** For an error without a known cause. */
export const unexplained: NodeFailure = {
  text: 'It does not respond.',
  remedy: 'Check its URL, and whether this machine may reach it.',
};
const late: NodeFailure = {
  text: 'It did not respond in time.',
  remedy: 'Check whether this machine may reach it, or use a faster node.',
};
const limited: NodeFailure = {
  text: 'It refuses because of its rate limit (429).',
  remedy: 'Use a plan with a higher limit, or add another node.',
};
const keyRefused: NodeFailure = {
  text: 'It refuses the key in its URL (HTTP 401 or 403).',
  remedy: 'Copy the URL with its key again, and check that the plan covers this chain.',
};
const noSuchPath: NodeFailure = {
  text: 'Its server has no node at that path (HTTP 404).',
  remedy: 'Copy the whole URL again, path included.',
};
const broken: NodeFailure = {
  text: 'Its server reports a failure of its own (HTTP 5xx).',
  remedy: 'Wait for the provider, or use another node.',
};
const unknownName: NodeFailure = {
  text: 'Its host name cannot be resolved (DNS).',
  remedy: 'Correct the host name, or the DNS of this machine.',
};
const refused: NodeFailure = {
  text: 'Its address refuses connections: nothing listens there.',
  remedy: 'Start the node, or correct host and port.',
};
const unreachable: NodeFailure = {
  text: 'No route leads to its address.',
  remedy: 'Check the network and the firewall of this machine.',
};
const untrusted: NodeFailure = {
  text: 'Its TLS certificate is not valid.',
  remedy: 'Check the host name and the clock of this machine, or use another node.',
};

/** Error codes of Node.js. */
const byCode: ReadonlyMap<string, NodeFailure> = new Map([
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'].map((code) => [code, unknownName] as const),
  ['ECONNREFUSED', refused],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'].map((code) => [code, unreachable] as const),
  ...['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'].map((code) => [code, late] as const),
  ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'].map(
    (code) => [code, untrusted] as const,
  ),
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(
    (code) => [code, untrusted] as const,
  ),
]);

/** How many levels of `cause` are followed. */
const maxDepth = 6;

/** Explains an error of asking a node, without quoting it. */
export function explainNodeFailure(error: unknown): NodeFailure {
  if (exceedsLimit(error)) return limited;
  let cause: unknown = error;
  for (let depth = 0; depth < maxDepth && cause instanceof Error; depth += 1, cause = cause.cause) {
    if (cause instanceof TimeoutError) return late;
    if (cause instanceof HttpRequestError && cause.status !== undefined) return byStatus(cause.status);
    const known = 'code' in cause && typeof cause.code === 'string' ? byCode.get(cause.code) : undefined;
    if (known !== undefined) return known;
  }
  return unexplained;
}

function byStatus(status: number): NodeFailure {
  if (status === 429) return limited;
  if (status === 401 || status === 403) return keyRefused;
  if (status === 404) return noSuchPath;
  return status >= 500 ? broken : unexplained;
}
