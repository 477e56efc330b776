import { hexToBytes } from 'viem';
import type { GoogleKmsConfig } from '../../domain/signer-config.ts';
import { messageHash } from '../../evm/signer/create-signer.ts';
import { loadPackage, readDerSignature, readPublicKey } from './kms-formats.ts';
import { type SignerBackend, SignerBackendError } from './signer-backend.ts';

const algorithm = 'EC_SIGN_SECP256K1_SHA256';

/**
 * A key version in Cloud KMS, through Google's own client, with the application default credentials. It needs the roles
 * `cloudkms.signer` and `cloudkms.publicKeyViewer` on the key.
 *
 * @throws StartError when the client is not installed.
 */
export async function openGoogleKms({
  keyVersion: name,
  endpoint,
  timeoutMs,
}: GoogleKmsConfig): Promise<SignerBackend> {
  const { KeyManagementServiceClient } = await loadPackage('@google-cloud/kms', async () => {
    const loaded = await import('@google-cloud/kms');
    return loaded.default ?? loaded;
  });
  const client = new KeyManagementServiceClient(endpoint === undefined ? {} : placeOf(endpoint));
  // The client must not retry: its own waits are longer than a signature may take.
  const call = { timeout: timeoutMs, retry: null };
  return {
    readAddresses: async () => {
      const [key] = await client.getPublicKey({ name }, call);
      if (key.algorithm !== algorithm) throw new SignerBackendError(`has no key of the algorithm ${algorithm}`, wrong);
      const pem = key.pem ?? '';
      if (key.name !== name || !isIntact(Buffer.from(pem), key.pemCrc32c?.value)) throw damaged();
      return [readPublicKey(pem)];
    },
    sign: async (digest) => {
      const sha256 = hexToBytes(messageHash(digest));
      const [answer] = await client.asymmetricSign(
        { name, digest: { sha256 }, digestCrc32c: { value: crc32c(sha256) } },
        call,
      );
      const { signature } = answer;
      const bytes = typeof signature === 'string' ? Buffer.from(signature, 'base64') : (signature ?? new Uint8Array());
      if (answer.name !== name || answer.verifiedDigestCrc32c !== true) throw damaged();
      if (!isIntact(bytes, answer.signatureCrc32c?.value)) throw damaged();
      return readDerSignature(bytes);
    },
    close: () => void client.close(),
  };
}

const wrong = { isWrong: true } as const;

/** An http endpoint, allowed only for a mock on this machine, uses the REST form of the same service. */
function placeOf(endpoint: string) {
  const { protocol, hostname, port } = new URL(endpoint);
  const isPlain = protocol === 'http:';
  return {
    apiEndpoint: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    ...(isPlain ? { fallback: true as const, protocol: 'http' } : {}),
  };
}

function isIntact(bytes: Uint8Array, sum: number | string | { toString(): string } | null | undefined): boolean {
  return String(sum) === String(crc32c(bytes));
}

function damaged(): SignerBackendError {
  return new SignerBackendError(
    'and the service received different data: a checksum or the name of the key differs',
    wrong,
  );
}

/** The polynomial of Castagnoli, bits reversed (RFC 3720, section 12.1). */
const polynomial = 0x82f63b78;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ polynomial : rest >>> 1;
  return rest;
});

/** CRC-32C of bytes, with which Google's services detect corruption in transit. */
export function crc32c(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = (table[(rest ^ byte) & 0xff] ?? 0) ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}
