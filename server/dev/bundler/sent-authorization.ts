import { type Hex, isAddressEqual, isHex, type SignedAuthorization } from 'viem';
import { recoverAuthorizationAddress } from 'viem/utils';
import { z } from 'zod';
import type { UserOperation } from '../../../core/domain/user-operation.ts';
import { delegateOf, isEip7702InitCode } from '../../../core/evm/entry-point/eip7702.ts';
import type { Devnet } from '../devnet/devnet.ts';
import { BundlerError } from './bundler-error.ts';

const hex = z.custom<Hex>((value) => isHex(value));

/** The field `eip7702Auth` of an operation, in the clients' form. */
export const authorizationSchema = z.object({ address: hex, chainId: hex, nonce: hex, r: hex, s: hex, yParity: hex });

type Sent = {
  readonly sender: Hex;
  readonly factory?: Hex | undefined;
  readonly eip7702Auth?: z.output<typeof authorizationSchema> | undefined;
};

/** The sender's delegate, for an estimate: its authorization may have a placeholder signature. */
export async function readDelegation(
  { client }: Devnet,
  { sender, factory, eip7702Auth: sent }: Sent,
): Promise<Pick<UserOperation, 'eip7702Auth' | 'eip7702Delegate'>> {
  if (sent !== undefined) {
    const { address } = sent;
    const [chainId, nonce, r, s] = [BigInt(sent.chainId), BigInt(sent.nonce), BigInt(sent.r), BigInt(sent.s)];
    const yParity = BigInt(sent.yParity) === 0n ? 0 : 1;
    return { eip7702Auth: { address, chainId, nonce, r, s, yParity }, eip7702Delegate: address };
  }
  if (factory === undefined || !isEip7702InitCode(factory)) return {};
  const eip7702Delegate = delegateOf(await client.getCode({ address: sender }));
  if (eip7702Delegate === undefined)
    throw new BundlerError(
      -32_602,
      'factory is 0x7702, but the sender has neither delegated its code nor sent eip7702Auth',
    );
  return { eip7702Delegate };
}

/**
 * The authorization to send, if there is one. Throws unless it is the sender's own and valid for the next transaction: the
 * chain would silently ignore it.
 */
export async function readSignedDelegation(
  { client, chainId: ownChainId }: Devnet,
  { sender, eip7702Auth: sent }: Sent,
): Promise<SignedAuthorization | undefined> {
  if (sent === undefined) return undefined;
  const { address, r, s } = sent;
  const [chainId, nonce, yParity] = [Number(sent.chainId), Number(sent.nonce), Number(sent.yParity)];
  const authorization = { address, chainId, nonce, r, s, yParity };
  const signer = await recoverAuthorizationAddress({ authorization });
  if (!isAddressEqual(signer, sender)) throw new BundlerError(-32_602, 'eip7702Auth is not signed by the sender');
  if (chainId !== 0 && chainId !== ownChainId) {
    throw new BundlerError(-32_602, `eip7702Auth is for chain ${chainId}, but this is ${ownChainId}`);
  }
  const next = await client.getTransactionCount({ address: sender });
  if (nonce === next) return authorization;
  throw new BundlerError(-32_602, `eip7702Auth has nonce ${nonce}, but the sender's next is ${next}`);
}
