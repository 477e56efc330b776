import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Hex } from 'viem';
import { crc32c } from '../../core/node/signers/kms-backends.ts';
import { derSignature, publicKeyOf } from './kms-key.ts';
import { listen } from './listen.ts';

export const keyVersion = 'projects/p/locations/global/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1';

type SignRequest = { readonly digest: { readonly sha256: string }; readonly digestCrc32c: unknown };

/** A stand-in of Cloud KMS in its REST form with one key, which really signs. `change` alters an answer. */
export async function startGoogleKms(privateKey: Hex, change: (answer: object) => object = (answer) => answer) {
  const requests: string[] = [];
  const server = await listen(async (incoming, response) => {
    const path = incoming.url ?? '';
    requests.push(`${incoming.method} ${path.replace(/\?.*/, '')}`);
    const body = await text(incoming);
    const isSigning = path.includes(':asymmetricSign');
    const answer = isSigning
      ? signed(JSON.parse(body) as SignRequest, privateKey, requests.length)
      : publicKey(privateKey);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(change(answer)));
  });
  return { ...server, requests };
}

function publicKey(privateKey: Hex) {
  const pem = publicKeyOf(privateKey).export({ format: 'pem', type: 'spki' }).toString();
  return { name: keyVersion, pem, algorithm: 'EC_SIGN_SECP256K1_SHA256', pemCrc32c: String(crc32c(Buffer.from(pem))) };
}

function signed({ digest, digestCrc32c }: SignRequest, privateKey: Hex, turn: number) {
  const sha256 = Buffer.from(digest.sha256, 'base64');
  const signature = derSignature(privateKey, sha256, turn % 2 === 0 ? 'low' : 'high');
  return {
    name: keyVersion,
    signature: signature.toString('base64'),
    signatureCrc32c: String(crc32c(signature)),
    verifiedDigestCrc32c: String(digestCrc32c) === String(crc32c(sha256)),
  };
}

/** Credentials of a service account, with a key that no one knows. */
export function writeServiceAccount(file: string): void {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const account = {
    type: 'service_account',
    project_id: 'p',
    private_key_id: '1',
    private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    client_email: 'signer@p.iam.gserviceaccount.com',
    token_uri: 'http://127.0.0.1:1/token',
  };
  writeFileSync(file, JSON.stringify(account));
}
