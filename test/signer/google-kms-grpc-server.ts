import { once } from 'node:events';
import { protos } from '@google-cloud/kms';
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Hex } from 'viem';
import { crc32c } from '../../core/node/signers/kms-backends.ts';
import type { KeyedCertificate } from '../support/servers/make-certificate.ts';
import { keyVersion } from './google-kms-server.ts';
import { derSignature, publicKeyOf } from './kms-key.ts';

const { AsymmetricSignRequest, AsymmetricSignResponse, GetPublicKeyRequest, PublicKey, CryptoKeyVersion } =
  protos.google.cloud.kms.v1;

/** How a message of the package's own proto is read and written. */
type Codec = { decode(bytes: Uint8Array): object; encode(message: object): { finish(): Uint8Array } };

/** What a call meets there: the answer, a status of gRPC, or nothing for as long as the caller waits. */
export type Meeting = { readonly status?: number; readonly isSilent?: boolean };

function method(name: string, request: Pick<Codec, 'decode'>, response: Pick<Codec, 'encode'>) {
  return {
    path: `/google.cloud.kms.v1.KeyManagementService/${name}`,
    requestStream: false,
    responseStream: false,
    requestDeserialize: (bytes: Buffer) => request.decode(bytes),
    requestSerialize: () => Buffer.alloc(0),
    responseDeserialize: () => ({}),
    responseSerialize: (message: object) => Buffer.from(response.encode(message).finish()),
  };
}

const service: ServiceDefinition = {
  getPublicKey: method('GetPublicKey', GetPublicKeyRequest, PublicKey),
  asymmetricSign: method('AsymmetricSign', AsymmetricSignRequest, AsymmetricSignResponse),
};

/** A stand-in of Cloud KMS that speaks gRPC over TLS, as the real one does, with one key, which really signs. */
export async function startGoogleKmsGrpc(privateKey: Hex, { certificate, privateKey: tlsKey }: KeyedCertificate) {
  const calls: { readonly cancelled: Promise<unknown> }[] = [];
  const meeting: { now: Meeting } = { now: {} };
  const answering =
    (answer: (request: object) => object) =>
    (call: ServerUnaryCall<object, object>, reply: sendUnaryData<object>): void => {
      calls.push({ cancelled: once(call, 'cancelled') });
      const { status, isSilent } = meeting.now;
      if (isSilent) return;
      if (status === undefined) reply(null, answer(call.request));
      else reply({ code: status, details: 'secret-words' });
    };
  const methods: UntypedServiceImplementation = {
    getPublicKey: answering(() => publicKey(privateKey)),
    asymmetricSign: answering((request) => signed(request, privateKey, calls.length)),
  };
  const server = new Server();
  server.addService(service, methods);
  const pair = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(tlsKey) };
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createSsl(null, [pair]), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return { url: `https://localhost:${port}`, calls, meeting, close: () => server.forceShutdown() };
}

function publicKey(privateKey: Hex) {
  const pem = publicKeyOf(privateKey).export({ format: 'pem', type: 'spki' }).toString();
  const { EC_SIGN_SECP256K1_SHA256: algorithm } = CryptoKeyVersion.CryptoKeyVersionAlgorithm;
  return { name: keyVersion, pem, algorithm, pemCrc32c: { value: crc32c(Buffer.from(pem)) } };
}

function signed(request: object, privateKey: Hex, turn: number) {
  const { digest, digestCrc32c } = AsymmetricSignRequest.fromObject(request);
  const sha256 = Buffer.from(digest?.sha256 ?? '');
  const signature = derSignature(privateKey, sha256, turn % 2 === 0 ? 'low' : 'high');
  return {
    name: keyVersion,
    signature,
    signatureCrc32c: { value: crc32c(signature) },
    verifiedDigestCrc32c: String(digestCrc32c?.value) === String(crc32c(sha256)),
  };
}
