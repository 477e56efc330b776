import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Logger } from '../core/base/logger.ts';
import type { Config } from './config/config-schema.ts';

/** Remaining lifetime below which the certificate should be renewed, in milliseconds. */
export const soonMs = 14 * 86_400_000;
const betweenLooks = 12 * 3_600_000;

/**
 * Logs that a certificate has expired or is about to, now and twice a day. `setting` names its file. Returns a function that
 * ends it; it does not keep the process alive.
 */
export function watchCertificate(setting: string, pem: string, logger: Logger): () => void {
  const { validTo } = new X509Certificate(pem);
  const look = () => {
    const left = new Date(validTo).getTime() - Date.now();
    const fields = { setting, validTo };
    if (left <= 0)
      logger.error(fields, 'The certificate has expired: no connection with it is accepted. Renew it and restart');
    else if (left < soonMs) logger.warn(fields, 'The certificate expires soon. Renew it and restart');
  };
  look();
  const timer = setInterval(look, betweenLooks);
  timer.unref();
  return () => clearInterval(timer);
}

/** When a configured certificate expires, in Unix seconds, by the setting that names its file. */
export type CertificateExpiries = ReadonlyMap<string, number>;

/**
 * Reads them once: a process keeps the certificates that it started with. Unreadable files are reported elsewhere; of
 * several certificates in a file the first counts.
 */
export function readCertificateExpiries({ grpc, core }: Pick<Config, 'grpc' | 'core'>): CertificateExpiries {
  const files = [
    ['grpc.tls.certificateFile', grpc.tls?.certificateFile],
    ['grpc.tls.clientCaFile', grpc.tls?.clientCaFile],
    ['core.tls.certificateFile', core?.tls?.certificateFile],
    ['core.tls.caFile', core?.tls?.caFile],
  ] as const;
  return new Map(
    files.flatMap(([setting, file]) => {
      const expiresAt = file === undefined ? undefined : readExpiry(file);
      return expiresAt === undefined ? [] : [[setting, expiresAt] as const];
    }),
  );
}

function readExpiry(file: string): number | undefined {
  try {
    return Math.floor(new Date(new X509Certificate(readFileSync(file)).validTo).getTime() / 1_000);
  } catch {
    return undefined;
  }
}
