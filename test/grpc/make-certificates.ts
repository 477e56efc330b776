import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Secret } from '../../core/domain/secret.ts';

const run = promisify(execFile);

export type Identity = { readonly certificate: string; readonly privateKey: Secret<string> };
export type Authority = { readonly certificate: string; issue(name: string): Promise<Identity> };

/** A throw-away certificate authority, made with the openssl command; `remove` deletes its files. */
export async function makeAuthority(name: string): Promise<Authority & { remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'tollfree-tls-'));
  const file = (short: string) => join(directory, short);
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const openssl = (...args: string[]) => run('openssl', args, { cwd: directory });

  await openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', `/CN=${name}`);
  return {
    certificate: await readFile(file('ca.pem'), 'utf8'),
    async issue(subject) {
      await writeFile(file('extensions'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
      await openssl('req', ...newKey, '-keyout', 'leaf.key', '-out', 'leaf.csr', '-subj', `/CN=${subject}`);
      const sign = ['x509', '-req', '-in', 'leaf.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
      await openssl(...sign, '-days', '2', '-extfile', 'extensions', '-out', 'leaf.pem');
      return {
        certificate: await readFile(file('leaf.pem'), 'utf8'),
        privateKey: new Secret(await readFile(file('leaf.key'), 'utf8')),
      };
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
