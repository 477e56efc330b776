import { text } from 'node:stream/consumers';
import type { Hex } from 'viem';
import { derSignature, publicKeyOf } from './kms-key.ts';
import { listen } from './listen.ts';

type Fields = Readonly<Record<string, string>>;

/**
 * A stand-in of AWS KMS with one key, which really signs, and refuses what the reference of the service does not take.
 * `change` alters an answer.
 */
export async function startAwsKms(privateKey: Hex, change: (answer: object) => object = (answer) => answer) {
  const requests: string[] = [];
  const server = await listen(async (incoming, response) => {
    const name = String(incoming.headers['x-amz-target']).replace('TrentService.', '');
    requests.push(name);
    const answer = answerTo(name, JSON.parse(await text(incoming)) as Fields, privateKey, requests.length);
    response.writeHead(answer === undefined ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(
      JSON.stringify(answer === undefined ? { __type: 'ValidationException', message: 'not taken' } : change(answer)),
    );
  });
  return { ...server, requests };
}

function answerTo(name: string, fields: Fields, privateKey: Hex, turn: number): object | undefined {
  const { KeyId, Message = '', MessageType, SigningAlgorithm } = fields;
  if (KeyId === undefined) return undefined;
  if (name === 'GetPublicKey') {
    const spki = publicKeyOf(privateKey).export({ format: 'der', type: 'spki' });
    return { KeyId, KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY', PublicKey: spki.toString('base64') };
  }
  const digest = Buffer.from(Message, 'base64');
  if (name !== 'Sign' || MessageType !== 'DIGEST' || digest.length !== 32) return undefined;
  if (SigningAlgorithm !== 'ECDSA_SHA_256') return undefined;
  const signature = derSignature(privateKey, digest, turn % 2 === 0 ? 'low' : 'high');
  return { KeyId, SigningAlgorithm, Signature: signature.toString('base64') };
}
