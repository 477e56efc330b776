import { createSecureContext } from 'node:tls';
import { ChannelCredentials, ServerCredentials } from '@grpc/grpc-js';
import type { Secret } from '../domain/values/secret.ts';

/** Mutual TLS of a server. All PEM text; a client must show a certificate that the client authority has signed. */
export type GrpcServerTls = {
  readonly certificate: string;
  readonly privateKey: Secret<string>;
  readonly clientCertificateAuthority: string;
};

/** Mutual TLS of a client. All PEM text; the server's certificate must be signed by the authority. */
export type GrpcClientTls = {
  readonly certificateAuthority: string;
  readonly certificate: string;
  readonly privateKey: Secret<string>;
  /** The name in the server's certificate, where it is not the host of the address. */
  readonly serverName?: string;
};

type Identity = { readonly certificate: string; readonly privateKey: Secret<string> };

/** Credentials of a server that asks for a client certificate. Throws a sentence when the PEM texts do not fit. */
export function serverCredentials(tls: GrpcServerTls): ServerCredentials {
  checkPem('server', tls, tls.clientCertificateAuthority);
  const pair = { private_key: Buffer.from(tls.privateKey.reveal()), cert_chain: Buffer.from(tls.certificate) };
  return ServerCredentials.createSsl(Buffer.from(tls.clientCertificateAuthority), [pair], true);
}

/** Credentials of a client that shows its certificate. Throws a sentence when the PEM texts do not fit. */
export function clientCredentials(tls: GrpcClientTls): ChannelCredentials {
  checkPem('client', tls, tls.certificateAuthority);
  return ChannelCredentials.createSsl(
    Buffer.from(tls.certificateAuthority),
    Buffer.from(tls.privateKey.reveal()),
    Buffer.from(tls.certificate),
  );
}

/** The error of the library is not passed on: it is about a private key. */
function checkPem(side: string, identity: Identity, authority: string): void {
  const marker = '-----BEGIN CERTIFICATE-----';
  if (!authority.includes(marker)) {
    // An authority that is left out would make the library trust the public ones, or ask for no certificate at all.
    throw new Error(`TLS of the gRPC ${side} needs the certificate of an authority in PEM form`);
  }
  try {
    createSecureContext({ cert: identity.certificate, key: identity.privateKey.reveal(), ca: authority });
  } catch {
    throw new Error(`TLS of the gRPC ${side} needs a certificate and its own private key in PEM form`);
  }
  if (!identity.certificate.includes(marker)) {
    throw new Error(`TLS of the gRPC ${side} needs a certificate and its own private key in PEM form`);
  }
}
