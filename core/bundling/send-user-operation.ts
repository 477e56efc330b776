import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Hex, isAddressEqual, isHex } from 'viem';
import type { BundledOperationRequest, SentUserOperation } from '../domain/bundling.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { delegateOf, isEip7702InitCode } from '../evm/entry-point/eip7702.ts';
import { userOperationHash } from '../evm/entry-point/entry-points.ts';
import { toRpcOperation } from '../evm/entry-point/rpc-operation.ts';
import type { BundlerClient } from '../node/bundler-client.ts';
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
  const hash = await findOperationHash(opened.value, read.value);
  if (!hash.ok) return hash;
  const about = { userOpHash: hash.value, ...signed };
  return inBundlerTurn(parts, opened.value, request, async () => {
    const { chain, bundler } = opened.value;
    const sent = toRpcOperation(read.value, chain.config.eip7702Marker ?? 'as-sent');
    const { entryPoint } = read.value;
    const reply = await bundler.ask({ method: 'eth_sendUserOperation', params: [sent, entryPoint] });
    const { chainId } = request;
    const isKnown = reply.kind === 'error' && (await knows(bundler, hash.value));
    if (reply.kind !== 'result' && !isKnown) return refuseByReply(reply, about);
    if (reply.kind === 'result' && !isHash(reply.result, hash.value)) {
      parts.logger.error({ chainId, userOpHash: hash.value }, 'The bundler named another hash for an operation');
      return refuseUnavailable('answered with the hash of another operation', { ...about, sent: true });
    }
    parts.logger.info({ ...about, chainId }, 'Sent to the bundler');
    const { paymasterId } = opened.value.profile.paymaster;
    parts.noteSent?.({ chainId, entryPoint, userOpHash: hash.value, paymasterId });
    return accept({ userOperationHash: hash.value, ...omitAbsent({ decisionId: signed?.decisionId }) });
  });
}

/** Whether the bundler already has the operation: it may have been sent twice, by the client or on a broken connection. */
async function knows(bundler: BundlerClient, hash: Hex): Promise<boolean> {
  const found = await bundler.ask({ method: 'eth_getUserOperationByHash', params: [hash] });
  return found.kind === 'result' && typeof found.result === 'object' && found.result !== null;
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
    ...{ chainId, contract: address, paymasterId },
    operation: { ...operation, paymasterAndData: bundled },
  });
}

/**
 * The userOpHash of an operation as sent. With the EIP-7702 marker it depends on the sender's delegate, from its
 * authorization or its current code: `CHAIN_UNAVAILABLE` if no node answers.
 */
async function findOperationHash({ chain }: Opened, read: ReadForBundler): Promise<Result<Hex>> {
  const { operation, bundled: paymasterAndData, entryPoint } = read;
  const { chainId } = chain.config;
  const hashOf = (found: object) =>
    accept(userOperationHash({ operation: { ...operation, ...found }, paymasterAndData, entryPoint, chainId }));
  if (!isEip7702InitCode(operation.initCode)) return hashOf({});
  if (operation.eip7702Auth !== undefined) return hashOf({ eip7702Delegate: operation.eip7702Auth.address });
  try {
    const eip7702Delegate = delegateOf((await chain.client.getCode({ address: operation.sender })) ?? '0x');
    if (eip7702Delegate !== undefined) return hashOf({ eip7702Delegate });
  } catch {
    return refuse({
      reason: 'CHAIN_UNAVAILABLE',
      message: `The code of the sender could not be read on chain ${chainId}. Nothing is sent until it can be.`,
    });
  }
  return refuse({
    reason: 'INVALID_PARAMS',
    message: 'eip7702Auth is required: factory is the EIP-7702 marker, and the sender has not delegated its code yet',
    field: 'eip7702Auth',
  });
}
