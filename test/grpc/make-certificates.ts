import { Secret } from '../../core/base/values/secret.ts';
import { makeCertificate } from '../support/servers/make-certificate.ts';

export type Identity = { readonly certificate: string; readonly privateKey: Secret<string> };
export type Authority = { readonly certificate: string; issue(name: string, beginsAt?: number): Identity };

/** A throw-away certificate authority, whose certificates are good for this machine. */
export function makeAuthority(name: string): Authority {
  const authority = makeCertificate(name, { dns: [name] });
  return {
    certificate: authority.certificate,
    issue(subject, beginsAt) {
      const issued = makeCertificate(subject, { dns: ['localhost'], ip: ['127.0.0.1'] }, authority, beginsAt);
      return { certificate: issued.certificate, privateKey: new Secret(issued.privateKey) };
    },
  };
}
