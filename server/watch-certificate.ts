import { X509Certificate } from 'node:crypto';
import type { Logger } from '../core/base/logger.ts';

/** Less than this is left, and someone should renew the certificate, in milliseconds. */
export const soonMs = 14 * 86_400_000;
const betweenLooks = 12 * 3_600_000;

/**
 * Logs that a certificate has expired or is about to, now and twice a day. `setting` names its file. Returns what ends it; it keeps
 * no process alive.
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
