import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { readNamedFile, readPrivateFile } from '../../clients/cli/terminal/read-file.ts';
import { Secret } from '../../core/base/values/secret.ts';
import type { GrpcClientTls, GrpcServerTls } from '../../core/grpc/tls.ts';
import type { Config } from './config-schema.ts';

/** The master key: 32 bytes as 64 hex digits. */
export function readMasterKey(file: string): Secret<Uint8Array> {
  const text = readPrivateFile(file, 'The master key file').trim();
  if (!/^[0-9a-fA-F]{64}$/.test(text)) {
    throw mistake(
      `The master key file ${file} must hold 64 hex digits (32 bytes), as \`openssl rand -hex 32\` prints them.`,
    );
  }
  return new Secret(new Uint8Array(Buffer.from(text, 'hex')));
}

/** The token of a gRPC server on loopback: the file's first line. */
export function readGrpcToken(file: string): Secret<string> {
  const token = readPrivateFile(file, 'The gRPC token file').split(/\r?\n/, 1)[0] ?? '';
  if (!/^[\x21-\x7e]{32,256}$/.test(token)) {
    throw mistake(
      `The gRPC token file ${file} must hold 32 to 256 visible characters in its first line, as \`openssl rand -hex 32\` prints them.`,
    );
  }
  return new Secret(token);
}

/** Characters allowed in an HTTP header, as a signer's token must be. */
export const signerTokenForm = /^[\x20-\x7e]{1,4096}$/;

/** The bearer token for a remote signer: the file's first line. */
export function readSignerToken(file: string): Secret<string> {
  const token = readPrivateFile(file, "The signer's token file").split(/\r?\n/, 1)[0] ?? '';
  if (!signerTokenForm.test(token)) {
    throw mistake(`The signer's token file ${file} must hold the token in its first line, in ASCII characters.`);
  }
  return new Secret(token);
}

/** The key for an explorer: the file's first line. */
export function readExplorerKey(file: string): Secret<string> {
  const key = readPrivateFile(file, "The explorer's API key file").split(/\r?\n/, 1)[0] ?? '';
  if (key === '') throw mistake(`The explorer's API key file ${file} is empty.`);
  return new Secret(key);
}

/** Whether a URL file's content is valid. It must not be logged or put in an error, since it may contain a key. */
export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

/** The URL of a second paymaster, which usually contains a key: the file's first line. */
export function readVendorUrl(file: string): Secret<string> {
  const url = (readPrivateFile(file, 'The URL file of the vendor').split(/\r?\n/, 1)[0] ?? '').trim();
  if (!isHttpUrl(url)) {
    throw mistake(`The URL file of the vendor ${file} must hold an http or https URL in its first line.`);
  }
  return new Secret(url);
}

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
