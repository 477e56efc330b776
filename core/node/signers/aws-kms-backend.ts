import { omitAbsent } from '@tollfree/contract/omit-absent';
import { hexToBytes } from 'viem';
import type { AwsKmsConfig } from '../../domain/signer-config.ts';
import { messageHash } from '../../evm/signer/create-signer.ts';
import { loadPackage, readDerSignature, readPublicKey } from './kms-formats.ts';
import { type SignerBackend, SignerBackendError } from './signer-backend.ts';

/**
 * A key in AWS KMS, through the official client, which finds credentials in AWS's standard locations. It needs
 * `kms:GetPublicKey` and `kms:Sign` on the key.
 *
 * @throws StartError when the client is not installed.
 */
export async function openAwsKms({ keyId, region, endpoint }: AwsKmsConfig): Promise<SignerBackend> {
  const { KMSClient, GetPublicKeyCommand, SignCommand } = await loadPackage(
    '@aws-sdk/client-kms',
    () => import('@aws-sdk/client-kms'),
  );
  // One retry, for a connection that the other side has closed; our own time limit covers both attempts.
  const client = new KMSClient({ region, maxAttempts: 2, ...omitAbsent({ endpoint }) });
  return {
    readAddresses: async (abortSignal) => {
      const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: keyId }), { abortSignal });
      if (PublicKey === undefined) throw new SignerBackendError('answered without a public key');
      return [readPublicKey(PublicKey)];
    },
    sign: async (digest, abortSignal) => {
      const command = new SignCommand({
        KeyId: keyId,
        Message: hexToBytes(messageHash(digest)),
        // KMS then hashes nothing itself: any 32-byte hash is accepted as SHA-256.
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      });
      const { Signature } = await client.send(command, { abortSignal });
      if (Signature === undefined) throw new SignerBackendError('answered without a signature');
      return readDerSignature(Signature);
    },
    close: () => client.destroy(),
  };
}
