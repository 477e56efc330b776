import { makeCertificate } from './make-certificate.ts';

const { certificate, privateKey } = makeCertificate('policies.example', { dns: ['policies.example'] });

/** A self-signed certificate for `policies.example` and its key, made again with each run. */
export const testCertificate = { cert: certificate, key: privateKey };
