import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../../config/config-schema.ts';
import { soonMs } from '../../watch-certificate.ts';
import { type Finding, findingsAbout } from '../finding.ts';

/** Checks the certificates of gRPC: their dates, and that each has its key. Unreadable files are reported elsewhere. */
export function checkCertificates({ grpc, core }: Config): readonly Finding[] {
  return [
    ...(grpc.tls === undefined
      ? []
      : [...checkPair('grpc.tls', grpc.tls), ...checkDates('grpc.tls.clientCaFile', grpc.tls.clientCaFile)]),
    ...(core?.tls === undefined
      ? []
      : [...checkPair('core.tls', core.tls), ...checkDates('core.tls.caFile', core.tls.caFile)]),
  ];
}

function checkPair(
  about: string,
  files: { readonly certificateFile: string; readonly keyFile: string },
): readonly Finding[] {
  const certificate = readCertificate(files.certificateFile);
  const find = findingsAbout(about);
  const isPair = certificate === undefined ? undefined : hasKey(certificate, files.keyFile);
  const remedy = 'Name the key that belongs to the certificate.';
  return [
    ...checkDates(`${about}.certificateFile`, files.certificateFile),
    ...(isPair === false ? [find.failure('tls-key', 'The key does not belong to the certificate.', remedy)] : []),
  ];
}

function checkDates(about: string, file: string): readonly Finding[] {
  const certificate = readCertificate(file);
  if (certificate === undefined) return [];
  const find = findingsAbout(about);
  const { validFrom, validTo } = certificate;
  const left = new Date(validTo).getTime() - Date.now();
  const remedy = `Put a new certificate into ${file} and restart the service.`;
  if (left <= 0) return [find.failure('tls-expired', `It expired on ${validTo}.`, remedy)];
  if (new Date(validFrom).getTime() > Date.now()) {
    return [
      find.failure(
        'tls-early',
        `It is not valid before ${validFrom}.`,
        "Check this machine's clock; else wait, or use another certificate.",
      ),
    ];
  }
  if (left < soonMs) return [find.warning('tls-ends-soon', `It expires on ${validTo}.`, remedy)];
  return [find.ok('tls', `It expires on ${validTo}.`)];
}

function readCertificate(file: string): X509Certificate | undefined {
  try {
    return new X509Certificate(readFileSync(file));
  } catch {
    return undefined;
  }
}

function hasKey(certificate: X509Certificate, keyFile: string): boolean | undefined {
  try {
    return certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)));
  } catch {
    return undefined;
  }
}
