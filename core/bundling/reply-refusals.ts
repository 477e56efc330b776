import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Result, refuse } from '../domain/result/result.ts';
import { findAaCode } from '../gas/failures/aa-codes.ts';
import type { BundlerReply } from '../node/bundler-client.ts';

/** Facts about the requested operation, for readers of the refusal. */
type AboutOperation = { readonly userOpHash?: string; readonly decisionId?: string };

/** JSON-RPC codes for an unknown method and for invalid params. */
const methodNotFound = -32_601;
const invalidParams = -32_602;

export function lacksMethod(reply: BundlerReply): boolean {
  return reply.kind === 'error' && (reply.code === methodNotFound || reply.code === -32_004);
}

/** Codes of ERC-7769 are passed on; any other could be mistaken for one of ours. */
function isPassedOn(code: number): boolean {
  return (code <= -32_500 && code >= -32_521) || code === invalidParams;
}

/** The answer when a bundler refuses or does not answer. */
export function refuseByReply(
  reply: Exclude<BundlerReply, { readonly kind: 'result' }>,
  { userOpHash, decisionId }: AboutOperation = {},
): Result<never> {
  if (reply.kind === 'away')
    return refuseUnavailable(reply.problem, { ...omitAbsent({ userOpHash, decisionId }), sent: reply.sent });
  if (lacksMethod(reply)) return refuseUnavailable('does not have this method', omitAbsent({ decisionId }));
  const { code, message, dataJson } = reply;
  const known = isPassedOn(code) ? { code } : { code: -32_500 };
  return refuse({
    reason: 'BUNDLER_REFUSED',
    message,
    bundlerError: { ...known, ...omitAbsent({ dataJson }) },
    details: omitAbsent({
      aaCode: findAaCode(message),
      bundlerCode: isPassedOn(code) ? undefined : String(code),
      userOpHash,
    }),
    ...omitAbsent({ decisionId }),
  });
}

/** Includes the hash of an operation that the bundler may have accepted after all. */
export function refuseUnavailable(
  problem: string,
  { userOpHash, decisionId, sent = false }: AboutOperation & { readonly sent?: boolean } = {},
): Result<never> {
  const mayBeSent = sent && userOpHash !== undefined;
  const advice = mayBeSent ? ' It may have taken the operation: look it up by its hash before you send it again.' : '';
  return refuse({
    reason: 'BUNDLER_UNAVAILABLE',
    message: `The bundler ${problem}.${advice}`,
    ...(mayBeSent ? { details: { userOpHash } } : {}),
    ...omitAbsent({ decisionId }),
  });
}
