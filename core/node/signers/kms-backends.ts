import { createPublicKey } from 'node:crypto';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import * as Address from 'ox/Address';
import * as PublicKey from 'ox/PublicKey';
import * as Signature from 'ox/Signature';
import { type Address as AddressType, bytesToHex, getAddress, hexToBytes } from 'viem';
import type { AwsKmsConfig, GoogleKmsConfig } from '../../domain/signer-config.ts';
import { StartError } from '../../domain/start-error.ts';
import { messageHash } from '../../evm/signer/create-signer.ts';
import { type RawSignature, type SignerBackend, SignerBackendError } from './signer-backend.ts';

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

/**
 * The address of a secp256k1 public key in X.509 form (SubjectPublicKeyInfo), as DER or PEM.
 *
 * @throws SignerBackendError when it is not such a key.
 */
function readPublicKey(key: Uint8Array | string): AddressType {
  const { x = '', y = '' } = coordinatesOf(key);
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return getAddress(Address.fromPublicKey(PublicKey.fromHex(bytesToHex(point))));
}

function coordinatesOf(key: Uint8Array | string): { x?: string; y?: string } {
  try {
    const opened = createPublicKey(
      typeof key === 'string' ? key : { key: Buffer.from(key), format: 'der', type: 'spki' },
    );
    const coordinates = opened.export({ format: 'jwk' });
    if (coordinates.crv === 'secp256k1') return coordinates;
  } catch (cause) {
    throw new SignerBackendError('has no readable public key', { isWrong: true, cause });
  }
  throw new SignerBackendError('has a key of another curve than secp256k1', { isWrong: true });
}

/** Longest secp256k1 signature in DER, in bytes. */
const maxBytes = 72;

/**
 * The halves of a signature in DER (RFC 3279, section 2.2.3).
 *
 * @throws SignerBackendError when it is not one.
 */
function readDerSignature(bytes: Uint8Array): RawSignature {
  try {
    if (bytes.length > maxBytes) throw new RangeError('It is too long.');
    const { r, s } = Signature.fromDerHex(bytesToHex(bytes));
    return { r: BigInt(r), s: BigInt(s) };
  } catch (cause) {
    throw new SignerBackendError('returned something that is not a signature', { isWrong: true, cause });
  }
}

/**
 * Loads the client of a cloud provider, which only its users install.
 *
 * @throws StartError with what to install when it is missing.
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new StartError(
      `A signer needs the package ${name}, which is not installed. Run npm install ${name} in the folder of tollfree.`,
      { tryAgain: false, cause },
    );
  }
}
