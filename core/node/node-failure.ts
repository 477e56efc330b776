import { HttpRequestError, TimeoutError } from 'viem';
import { readRpcAnswer } from './rpc/rpc-answer.ts';

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

/** JSON-RPC codes for an exceeded limit. */
const limitCodes = new Set([-32005, -32007, 429]);
/** How many levels of `cause` are followed. */
const maxDepth = 6;

/** Explains an error of asking a node, without quoting it. */
export function explainNodeFailure(error: unknown): NodeFailure {
  const code = readRpcAnswer(error)?.code;
  if (code !== undefined && limitCodes.has(code)) return limited;
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
