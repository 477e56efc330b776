import { readNamedFile, readPrivateFile } from '../../clients/cli/terminal/read-file.ts';
import { Secret } from '../../core/base/values/secret.ts';
import type { GrpcClientTls, GrpcServerTls } from '../../core/grpc/tls.ts';
import type { Config } from './config-schema.ts';

/** The gRPC server's mutual TLS, with the contents of its files. Undefined if not configured. */
export function readServerTls({ tls }: Config['grpc']): GrpcServerTls | undefined {
  if (tls === undefined) return undefined;
  return {
    certificate: readNamedFile(tls.certificateFile, 'The gRPC certificate file'),
    privateKey: new Secret(readPrivateFile(tls.keyFile, 'The gRPC key file')),
    clientCertificateAuthority: readNamedFile(tls.clientCaFile, 'The gRPC client authority file'),
  };
}

/** The mutual TLS for calling the core. Undefined if not configured. */
export function readClientTls({ tls }: NonNullable<Config['core']>): GrpcClientTls | undefined {
  if (tls === undefined) return undefined;
  return {
    certificate: readNamedFile(tls.certificateFile, 'The certificate file'),
    privateKey: new Secret(readPrivateFile(tls.keyFile, 'The key file')),
    certificateAuthority: readNamedFile(tls.caFile, 'The authority file'),
  };
}
