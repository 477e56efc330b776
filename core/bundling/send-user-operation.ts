import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Hex, isAddressEqual, isHex } from 'viem';
import type { BundledOperationRequest, SentUserOperation } from '../domain/bundling.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { userOperationHash } from '../evm/entry-point/entry-points.ts';
import { toRpcOperation } from '../evm/entry-point/rpc-operation.ts';
import type { BundlerList } from '../node/bundler-list.ts';
import { authorizationRequired, lacksAuthorization } from '../sponsorship/identify/read-operation.ts';
import { type BundlingParts, inBundlerTurn, type Opened, openBundler } from './bundling-parts.ts';
import { type ReadForBundler, readForSending } from './read-bundled-operation.ts';
import { refuseByReply, refuseUnavailable } from './reply-refusals.ts';

/**
 * `eth_sendUserOperation`: sends an operation to the bundler. With `OWN`, the apiKey's paymaster must have signed it and
 * hold for it. The hash in the bundler's answer must be the operation's. An operation that the bundler already has is
 * answered with its hash again.
 */
export async function sendUserOperation(
  parts: BundlingParts,
  request: BundledOperationRequest,
): Promise<Result<SentUserOperation>> {
  const opened = await openBundler(parts, request);
  if (!opened.ok) return opened;
  const read = readForSending(opened.value, request);
  if (!read.ok) return read;
  const signed = await findSignedHere(parts, opened.value, read.value);
  if (signed === undefined && opened.value.expose === 'OWN') return notSigned;
  if (lacksAuthorization(read.value.operation)) return authorizationRequired;
  const hash = hashOf(opened.value, read.value);
  const about = { userOpHash: hash, ...signed };
  return inBundlerTurn(parts, opened.value, request, async () => {
    const { chain, bundler } = opened.value;
    const sent = toRpcOperation(read.value, chain.config.eip7702Marker ?? 'as-sent');
    const { entryPoint } = read.value;
    const question = { method: 'eth_sendUserOperation', params: [sent, entryPoint] };
    const reply = await bundler.send(question, read.value.paymaster);
    const { chainId } = request;
    const isKnown = reply.kind === 'error' && (await knows(bundler, hash));
    if (reply.kind !== 'result' && !isKnown) return refuseByReply(reply, about);
    if (reply.kind === 'result' && !isHash(reply.result, hash)) {
      parts.logger.error({ chainId, userOpHash: hash }, 'The bundler named another hash for an operation');
      return refuseUnavailable('answered with the hash of another operation', { ...about, sent: true });
    }
    parts.logger.info({ ...about, chainId }, 'Sent to the bundler');
    const { paymasterId } = opened.value.profile.paymaster;
    parts.noteSent?.({ chainId, entryPoint, userOpHash: hash, paymasterId });
    return accept({ userOperationHash: hash, ...omitAbsent({ decisionId: signed?.decisionId }) });
  });
}

/** Whether the bundler already has the operation: it may have been sent twice, by the client or on a broken connection. */
async function knows(bundler: BundlerList, hash: Hex): Promise<boolean> {
  const found = await bundler.find({ method: 'eth_getUserOperationByHash', params: [hash] }, isObject);
  return found.kind === 'result' && isObject(found.result);
}

function isObject(result: unknown): result is object {
  return typeof result === 'object' && result !== null;
}

function isHash(result: unknown, hash: Hex): boolean {
  return isHex(result) && result.toLowerCase() === hash;
}

const notSigned = refuse({
  reason: 'OPERATION_NOT_SIGNED',
  message:
    'This operation was not signed by the paymaster of this apiKey, was changed since, or its signature has ended. Ask for a signature and send the operation unchanged.',
  field: 'paymasterData',
});

/** The decision behind an operation that the paymaster has signed. */
async function findSignedHere(
  { findSigned }: BundlingParts,
  { contract, profile }: Opened,
  { operation, paymaster, bundled }: ReadForBundler,
) {
  const { address, chainId } = contract.location;
  if (paymaster === undefined || !isAddressEqual(paymaster, address)) return undefined;
  const { paymasterId } = profile.paymaster;
  return findSigned({
    chainId,
    contract: address,
    paymasterId,
    operation: { ...operation, paymasterAndData: bundled },
  });
}

/** The userOpHash of an operation as sent. With the EIP-7702 marker it depends on the delegate of its authorization. */
function hashOf({ chain }: Opened, read: ReadForBundler): Hex {
  const { operation, bundled: paymasterAndData, entryPoint } = read;
  const { eip7702Auth } = operation;
  const delegated = eip7702Auth === undefined ? operation : { ...operation, eip7702Delegate: eip7702Auth.address };
  return userOperationHash({ operation: delegated, paymasterAndData, entryPoint, chainId: chain.config.chainId });
}
