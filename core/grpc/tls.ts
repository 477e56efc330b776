import { isIP } from 'node:net';
import { checkServerIdentity, createSecureContext, type PeerCertificate } from 'node:tls';
import { ChannelCredentials, type ChannelOptions, ServerCredentials } from '@grpc/grpc-js';
import type { Secret } from '../base/values/secret.ts';

/** Mutual TLS of a server. All PEM text; clients need a certificate signed by the client authority. */
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
  /** The name in the server's certificate, if it differs from the address's host. */
  readonly serverName?: string;
};

type Identity = { readonly certificate: string; readonly privateKey: Secret<string> };

/** Credentials of a server that requires client certificates. Throws a sentence when the PEM texts do not match. */
export function serverCredentials(tls: GrpcServerTls): ServerCredentials {
  checkPem('server', tls, tls.clientCertificateAuthority);
  const pair = { private_key: Buffer.from(tls.privateKey.reveal()), cert_chain: Buffer.from(tls.certificate) };
  return ServerCredentials.createSsl(Buffer.from(tls.clientCertificateAuthority), [pair], true);
}

/** The server name of a client that only knows an IP address: a handshake cannot name one, and no server has this name. */
const nameOfNobody = 'number.invalid';

/** A client's certificate, and how it verifies its server. */
export type ClientSecurity = { readonly credentials: ChannelCredentials; readonly options: ChannelOptions };

/**
 *
 *
 * For a client whose server has a certificate for `name`, a host name or its IP address. Throws a sentence when the PEM
 * texts do not match.
 */
export function clientSecurity(tls: GrpcClientTls, name: string): ClientSecurity {
  checkPem('client', tls, tls.certificateAuthority);
  const isNumber = isIP(name) !== 0;
  const knowByNumber = (_: string, shown: PeerCertificate) => checkServerIdentity(name, shown);
  return {
    credentials: ChannelCredentials.createSsl(
      Buffer.from(tls.certificateAuthority),
      Buffer.from(tls.privateKey.reveal()),
      Buffer.from(tls.certificate),
      isNumber ? { checkServerIdentity: knowByNumber } : {},
    ),
    options: { 'grpc.ssl_target_name_override': isNumber ? nameOfNobody : name },
  };
}

/** The library's error is not passed on, since it is about a private key. */
function checkPem(side: string, identity: Identity, authority: string): void {
  const marker = '-----BEGIN CERTIFICATE-----';
  if (!authority.includes(marker)) {
    // Without an authority the library would trust the public ones, or require no certificate at all.
    throw new Error(`TLS of the gRPC ${side} needs the certificate of an authority in PEM format`);
  }
  try {
    createSecureContext({ cert: identity.certificate, key: identity.privateKey.reveal(), ca: authority });
  } catch {
    throw new Error(`TLS of the gRPC ${side} needs a certificate and its own private key in PEM format`);
  }
  if (!identity.certificate.includes(marker)) {
    throw new Error(`TLS of the gRPC ${side} needs a certificate and its own private key in PEM format`);
  }
}
